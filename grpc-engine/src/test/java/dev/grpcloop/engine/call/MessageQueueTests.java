package dev.grpcloop.engine.call;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The messages of a call between the loop and the task.
 */
class MessageQueueTests {

	private final MessageQueue queue = new MessageQueue();

	private InboundMessage add(int length) {
		InboundMessage message = new InboundMessage(false, new byte[length], length);
		this.queue.add(message);
		return message;
	}

	@Test
	void messagesComeInOrder() {
		InboundMessage first = add(1);
		InboundMessage second = add(2);
		assertThat(this.queue.poll()).isSameAs(first);
		assertThat(this.queue.isEmpty()).isFalse();
		assertThat(this.queue.poll()).isSameAs(second);
		assertThat(this.queue.isEmpty()).isTrue();
		assertThat(this.queue.poll()).isNull();
	}

	@Test
	void whatIsDroppedIsNotHeldUntilSomebodyTakesIt() {
		add(1);
		this.queue.poll();
		add(2);
		add(3);
		this.queue.drop();
		assertThat(this.queue.poll()).isNull();
		assertThat(this.queue.poll()).isNull();
		assertThat(this.queue.isEmpty()).isTrue();
		InboundMessage later = add(4);
		assertThat(this.queue.poll()).isSameAs(later);
	}

	@Test
	void whatIsClearedIsGone() {
		add(1);
		add(2);
		this.queue.drop();
		add(3);
		this.queue.clear();
		assertThat(this.queue.isEmpty()).isTrue();
	}

	@Test
	void anEmptyMessageTakesMemoryToo() {
		assertThat(new InboundMessage(false, new byte[0], 5).held()).isGreaterThanOrEqualTo(40);
		assertThat(new InboundMessage(false, new byte[1000], 5).held()).isBetween(1000L, 1100L);
	}

}
