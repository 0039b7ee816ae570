package dev.grpcloop.boot.statistics;

import java.util.Arrays;

/**
 * The arrival times of running calls in their order, to know the oldest. Calls that
 * arrived at the same time, as those of one reading from a socket do, are one run. Used
 * on one thread only.
 * <p>
 * What is usual costs least: a call that comes is the last run, or part of it, and calls
 * that end are of the first run or the last. Runs without calls that lie between others
 * stay until the arrays are full, and are then closed up, so that one old stream among
 * many short calls takes no more room than the calls that run at the same time. With room
 * for 8 and runs of 10, 20, 30 and so on to 80, of which only the first and the last
 * still have calls, the next run finds these two and six free places. Nothing is
 * allocated as long as the number of runs does not grow.
 */
final class ArrivalRuns {

	static final int LEAST_ROOM = 16;

	/** Room that is kept where no call runs any more. */
	static final int MOST_IDLE_ROOM = 1024;

	private long[] arrivals = new long[LEAST_ROOM];

	/** How many calls of the run at the same place still run. */
	private int[] calls = new int[LEAST_ROOM];

	/** The first run; it has calls, unless there is no run. */
	private int first;

	/** After the last run; that has calls too. */
	private int end;

	/**
	 * A call has come.
	 * @param arrival when, as {@link System#nanoTime()} tells it
	 */
	void add(long arrival) {
		int index = indexOf(arrival);
		if (index == this.end || this.arrivals[index] != arrival) {
			index = insert(index, arrival);
		}
		this.calls[index]++;
	}

	/**
	 * A call has ended.
	 * @param arrival when it had come
	 */
	void remove(long arrival) {
		int index = indexOf(arrival);
		if (index == this.end || this.arrivals[index] != arrival || this.calls[index] == 0) {
			return;
		}
		this.calls[index]--;
		while (this.first < this.end && this.calls[this.first] == 0) {
			this.first++;
		}
		while (this.first < this.end && this.calls[this.end - 1] == 0) {
			this.end--;
		}
		if (this.first == this.end) {
			clear();
		}
	}

	boolean isEmpty() {
		return this.first == this.end;
	}

	/**
	 * Returns the arrival of the oldest call.
	 * @return the time; meaningless if there is none
	 */
	long oldest() {
		return this.arrivals[this.first];
	}

	int room() {
		return this.arrivals.length;
	}

	/** Returns the place of the first run that is not older. */
	private int indexOf(long arrival) {
		int last = this.end - 1;
		if (this.first > last || this.arrivals[last] - arrival < 0) {
			return this.end;
		}
		if (this.arrivals[last] == arrival) {
			return last;
		}
		int low = this.first;
		int high = last;
		while (low < high) {
			int middle = (low + high) >>> 1;
			if (this.arrivals[middle] - arrival < 0) {
				low = middle + 1;
			}
			else {
				high = middle;
			}
		}
		return low;
	}

	private int insert(int index, long arrival) {
		int place = index;
		if (this.end == this.arrivals.length) {
			closeUp();
			place = indexOf(arrival);
		}
		int younger = this.end - place;
		if (younger > 0) {
			System.arraycopy(this.arrivals, place, this.arrivals, place + 1, younger);
			System.arraycopy(this.calls, place, this.calls, place + 1, younger);
		}
		this.arrivals[place] = arrival;
		this.calls[place] = 0;
		this.end++;
		return place;
	}

	/** Leaves at least half of the room free, so that this is rare. */
	private void closeUp() {
		int runs = 0;
		for (int index = this.first; index < this.end; index++) {
			if (this.calls[index] != 0) {
				this.arrivals[runs] = this.arrivals[index];
				this.calls[runs] = this.calls[index];
				runs++;
			}
		}
		this.first = 0;
		this.end = runs;
		if (runs > room() / 2) {
			int room = room() * 2;
			this.arrivals = Arrays.copyOf(this.arrivals, room);
			this.calls = Arrays.copyOf(this.calls, room);
		}
	}

	private void clear() {
		this.first = 0;
		this.end = 0;
		if (room() > MOST_IDLE_ROOM) {
			this.arrivals = new long[LEAST_ROOM];
			this.calls = new int[LEAST_ROOM];
		}
	}

}
