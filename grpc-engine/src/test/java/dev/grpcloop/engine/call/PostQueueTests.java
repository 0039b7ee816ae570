package dev.grpcloop.engine.call;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

class PostQueueTests {

	private final Queue<Runnable> loop = new ArrayDeque<>();

	private final List<String> ran = new ArrayList<>();

	private final PostQueue queue = new PostQueue(this.loop::add, this::drain);

	private void drain() {
		this.queue.drain();
	}

	private PostQueue.Node node(String name) {
		return node(name, () -> {
		});
	}

	private PostQueue.Node node(String name, Runnable work) {
		return new PostQueue.Node() {

			@Override
			protected void run() {
				PostQueueTests.this.ran.add(name);
				work.run();
			}

		};
	}

	@Test
	void nodesRunInTheOrderInWhichTheyWerePosted() {
		this.queue.post(node("a"));
		this.queue.post(node("b"));
		this.queue.post(node("c"));
		assertThat(this.ran).isEmpty();
		this.loop.remove().run();
		assertThat(this.ran).containsExactly("a", "b", "c");
	}

	@Test
	void onlyThePostThatFindsTheQueueEmptyWakesTheLoop() {
		this.queue.post(node("a"));
		this.queue.post(node("b"));
		assertThat(this.loop).hasSize(1);
		this.loop.remove().run();
		this.queue.post(node("c"));
		assertThat(this.loop).hasSize(1);
	}

	@Test
	void aNodeThatIsPostedTwiceRunsOnce() {
		PostQueue.Node node = node("a");
		this.queue.post(node);
		this.queue.post(node("b"));
		this.queue.post(node);
		this.loop.remove().run();
		assertThat(this.ran).containsExactly("a", "b");
		this.queue.post(node);
		this.loop.remove().run();
		assertThat(this.ran).containsExactly("a", "b", "a");
	}

	@Test
	void whatIsPostedWhileANodeRunsIsForTheNextRound() {
		PostQueue.Node[] node = new PostQueue.Node[1];
		PostQueue.Node late = node("late");
		node[0] = node("a", () -> {
			if (this.ran.size() < 3) {
				this.queue.post(node[0]);
				this.queue.post(late);
			}
		});
		this.queue.post(node[0]);
		this.loop.remove().run();
		assertThat(this.ran).containsExactly("a");
		assertThat(this.loop).hasSize(1);
		this.loop.remove().run();
		assertThat(this.ran).containsExactly("a", "a", "late");
	}

	@Test
	void aNodeThatThrowsDoesNotStopTheOthers() {
		Logger logger = Logger.getLogger(PostQueue.class.getPackageName());
		logger.setLevel(Level.OFF);
		try {
			PostQueue.Node node = node("a", () -> {
				throw new IllegalStateException("a fault of the server");
			});
			this.queue.post(node);
			this.queue.post(node("b"));
			this.loop.remove().run();
			assertThat(this.ran).containsExactly("a", "b");
			this.queue.post(node);
			this.loop.remove().run();
			assertThat(this.ran).containsExactly("a", "b", "a");
		}
		finally {
			logger.setLevel(null);
		}
	}

	@Test
	void aLoopThatHasEndedTakesNoMorePosts() {
		PostQueue ended = new PostQueue((task) -> {
			throw new RejectedExecutionException("ended");
		}, this::drain);
		assertThatCode(() -> ended.post(node("a"))).doesNotThrowAnyException();
	}

	/**
	 * Posters on several threads, one drainer: whatever a poster did before a post, the
	 * node sees when it runs next, and there is such a run.
	 */
	@Test
	@Timeout(60)
	void everyPostIsFollowedByARunThatSeesWhatWasDoneBefore() throws Exception {
		int posters = 4;
		int rounds = 50_000;
		ExecutorService drainer = Executors.newSingleThreadExecutor();
		ExecutorService threads = Executors.newFixedThreadPool(posters);
		try {
			PostQueue[] shared = new PostQueue[1];
			shared[0] = new PostQueue(drainer, () -> shared[0].drain());
			List<CountingNode> nodes = new ArrayList<>();
			for (int i = 0; i < 8; i++) {
				nodes.add(new CountingNode());
			}
			List<Future<?>> running = new ArrayList<>();
			for (int p = 0; p < posters; p++) {
				int first = p;
				running.add(threads.submit(() -> {
					for (int i = 0; i < rounds; i++) {
						CountingNode node = nodes.get((first + i) % nodes.size());
						node.done.incrementAndGet();
						shared[0].post(node);
					}
				}));
			}
			for (Future<?> future : running) {
				future.get();
			}
			// the drain task of the last post is in line before this one
			drainer.submit(() -> {
			}).get();
			for (CountingNode node : nodes) {
				assertThat(node.seen).isEqualTo(node.done.get());
			}
			assertThat(nodes.stream().mapToInt((node) -> node.done.get()).sum()).isEqualTo(posters * rounds);
		}
		finally {
			threads.shutdownNow();
			drainer.shutdownNow();
			assertThat(drainer.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
		}
	}

	private static final class CountingNode extends PostQueue.Node {

		private final AtomicInteger done = new AtomicInteger();

		/** The drainer's. */
		private int seen;

		@Override
		protected void run() {
			this.seen = this.done.get();
		}

	}

}
