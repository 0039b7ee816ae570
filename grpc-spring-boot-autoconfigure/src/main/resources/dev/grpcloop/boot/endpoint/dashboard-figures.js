/*
 * Calculates: what happened between two answers of the endpoint, percentiles, scales. There is
 * no page in here.
 *
 * Answer: what the endpoint says, with its methods in one map.
 * Sample: what happened between two answers; the charts are made of samples.
 */

export const SECOND = 1000;
export const UNKNOWN = ''; // the key of calls to methods that the server does not know

/** What has been added to a number; all of it if there was none before. */
export function growth(now, before) {
  return Math.max(0, (now ?? 0) - (before ?? 0));
}

/** What has been added to each number of an object, without those that stayed. */
export function growths(now, before) {
  return new Map(Object.entries(now ?? {})
    .map(([name, count]) => [name, growth(count, before?.[name])])
    .filter(([, count]) => count > 0));
}

export function sum(numbers) {
  let total = 0;
  for (const number of numbers) {
    total += number;
  }
  return total;
}

/** The calls of buckets [end, calls] that were not there before, as a map from end to calls. */
export function addedCalls(now, before) {
  const added = new Map(now ?? []);
  for (const [end, calls] of before ?? []) {
    const left = (added.get(end) ?? 0) - calls;
    if (left > 0) {
      added.set(end, left);
    }
    else {
      added.delete(end);
    }
  }
  return added;
}

export function mergeBuckets(maps) {
  const all = new Map();
  for (const map of maps) {
    for (const [end, calls] of map) {
      all.set(end, (all.get(end) ?? 0) + calls);
    }
  }
  return all;
}

/** The time that a share of calls did not exceed: the end of their bucket; null without calls. */
export function percentile(buckets, share) {
  const total = sum(buckets.values());
  if (total === 0) {
    return null;
  }
  const rank = Math.max(1, Math.ceil(share * total - 1e-9));
  let passed = 0;
  for (const [end, calls] of [...buckets].sort((a, b) => a[0] - b[0])) {
    passed += calls;
    if (passed >= rank) {
      return end;
    }
  }
  return null;
}

/** The share of busy in busy and waited, of what was added; null if that is not measured. */
export function busyShare(now, before) {
  if (typeof now.busyShare !== 'number') {
    return null;
  }
  const busy = growth(now.busyTime, before?.busyTime);
  const waited = growth(now.waitedTime, before?.waitedTime);
  return (busy + waited > 0) ? busy / (busy + waited) : 0;
}

/** The least of 1, 2 or 5 times a power of ten that is not below a number. */
export function niceCeiling(number) {
  if (!(number > 0)) {
    return 1;
  }
  const power = 10 ** Math.floor(Math.log10(number));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= number * (1 - 1e-9));
  return factor * power;
}

/** From 0 to a round number: place() says where a value is, from 0 at the bottom to 1. */
export function linearScale(values, least, unit = 1) {
  const top = niceCeiling(Math.max(least, ...values)) * unit;
  return { ticks: [0, top / 2, top], place: (value) => Math.min(1, value / top) };
}

/** The same for bytes, round in the unit that they are shown in. */
export function byteScale(values) {
  const most = Math.max(1024, ...values);
  const unit = 1024 ** Math.floor(Math.log2(most) / 10);
  return linearScale(values.map((value) => value / unit), most / unit, unit);
}

/** Whole powers of ten around all values. */
export function logarithmicScale(values) {
  const positive = values.filter((value) => value > 0);
  const low = Math.floor(Math.log10(Math.min(...positive, 1e-3)) + 1e-9);
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...positive, 1e-3)) - 1e-9));
  const step = Math.ceil((high - low) / 4);
  const ticks = [];
  for (let power = low; power <= high; power += step) {
    ticks.push(10 ** power);
  }
  return { ticks, place: (value) => Math.max(0, Math.min(1, (Math.log10(value) - low) / (high - low))) };
}

/**
 * An answer of the endpoint in the form that the rest works with: came at a time that never
 * jumps, by the clock of this machine and by that of the server.
 */
export function readAnswer(json, time, clock, serverClock) {
  const methods = new Map();
  for (const service of json.services ?? []) {
    for (const method of service.methods ?? []) {
      methods.set(`${service.name}/${method.name}`, { ...method, service: service.name });
    }
  }
  if (json.unknownMethods) {
    methods.set(UNKNOWN, { ...json.unknownMethods, service: '', name: 'methods that the server does not know' });
  }
  return {
    time,
    clock,
    serverClock,
    methods,
    measured: Boolean(json.calls),
    uncounted: json.uncounted ?? '',
    server: json.server ?? {},
    connections: json.connections ?? {},
    streams: json.streams ?? {},
    bytes: json.bytes ?? {},
    guards: json.guards ?? {},
    loops: json.loops ?? [],
    limits: json.limits ?? {},
    clients: json.clients ?? null,
  };
}

/** Whether an answer cannot be a later one of the same application. */
export function hasFallen(now, before) {
  return totals(now).some((total, index) => total < totals(before)[index]);
}

function totals(answer) {
  return [sum([...answer.methods.values()].map((method) => method.started ?? 0)),
    answer.connections.opened ?? 0, answer.streams.opened ?? 0, answer.bytes.received ?? 0];
}

/**
 * What happened between two answers. Rates are since the answer before; percentiles and
 * shares of errors since the one before the window.
 */
export function compare(now, before, windowStart) {
  const seconds = (now.time - before.time) / SECOND;
  const methods = new Map();
  for (const [key, method] of now.methods) {
    methods.set(key, compareMethod(method, before.methods.get(key), seconds, windowStart.methods.get(key),
      (now.time - windowStart.time) / SECOND));
  }
  return {
    time: now.time,
    methods,
    connections: now.connections.open,
    streams: now.streams.open,
    received: growth(now.bytes.received, before.bytes.received) / seconds,
    sent: growth(now.bytes.sent, before.bytes.sent) / seconds,
    loops: now.loops.map((loop, index) => ({ ...loop, share: busyShare(loop, before.loops[index]) })),
  };
}

function compareMethod(now, before, seconds, earlier, windowSeconds) {
  const lately = growths(now.statuses, earlier?.statuses);
  const ended = sum(lately.values());
  return {
    type: now.type,
    rate: growth(now.closed, before?.closed) / seconds,
    statuses: new Map([...growths(now.statuses, before?.statuses)].map(([code, count]) => [code, count / seconds])),
    lately: {
      rate: ended / windowSeconds,
      ended,
      statuses: lately,
      failed: ended - (lately.get('OK') ?? 0),
      buckets: addedCalls(now.latency?.buckets, earlier?.latency?.buckets),
    },
  };
}

/** The names of the busiest, by the sum of their values in all samples; at most a few. */
export function busiest(samples, valuesOf, count) {
  const sums = new Map();
  for (const sample of samples) {
    for (const [name, value] of valuesOf(sample)) {
      sums.set(name, (sums.get(name) ?? 0) + value);
    }
  }
  return [...sums].filter(([, total]) => total > 0)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, count)
    .map(([name]) => name);
}

/** One line for each name, and one for all the others together if they have anything. */
export function lines(samples, names, valuesOf, others) {
  const rows = samples.map((sample) => (sample.gap ? null : valuesOf(sample)));
  const found = names.map((name) => ({ name, values: rows.map((row) => row && (row.get(name) ?? 0)) }));
  const rest = rows.map((row) => row && sum([...row].filter(([name]) => !names.includes(name)).map(([, value]) => value)));
  return rest.some((value) => value > 1e-9) ? [...found, { name: others, values: rest, others: true }] : found;
}
