package dev.grpcloop.engine.soak;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

import io.grpc.Metadata;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a round.
 */
final class Ledger {

	private final Map<Long, CallRecord> records = new ConcurrentHashMap<>();

	CallRecord open(Script script, CallRecord.Fate fate) {
		CallRecord record = new CallRecord(script, fate);
		this.records.put(script.id(), record);
		return record;
	}

	/**
	 * Finds the call that its headers belong to.
	 * @return {@code null} if it is none of the soak's clients'
	 */
	@Nullable CallRecord find(Metadata headers) {
		String id = headers.get(Content.ID);
		return (id != null) ? this.records.get(Long.parseLong(id)) : null;
	}

	List<CallRecord> running() {
		return this.records.values().stream().filter((record) -> !record.hasEnded()).toList();
	}

	/**
	 * Judges all calls, and forgets them.
	 * @return what is wrong with them
	 */
	List<String> settle() {
		Collection<CallRecord> all = this.records.values();
		List<String> faults = all.stream().map(CallRecord::judge).filter(Objects::nonNull).toList();
		this.records.clear();
		return faults;
	}

}
