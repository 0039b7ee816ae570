/*
 * The page of the actuator endpoint "grpc". It asks the endpoint every second, and draws
 * what has changed since the answers before.
 *
 * Answer: what the endpoint says, with its methods in one map.
 * Sample: what happened between two answers; the charts are made of samples.
 *
 * What comes from the server reaches the page as text alone (textContent), never as
 * markup, and colours and places come from classes and attributes of SVG, so that the
 * page can forbid all that is inline.
 */

const SECOND = 1000;
const SPAN = 300 * SECOND; // what charts show at most
const LEAST_SPAN = 60 * SECOND;
const SPAN_STEP = 30 * SECOND;
const WINDOW = 10 * SECOND; // what percentiles and shares are of
const TIMEOUT = 10 * SECOND;
const LONGEST_REST = 5 * SECOND;
const LONG_GAP = 20 * SECOND; // answers further apart are not joined by a line
const LINES = 5; // of a chart, beside the one of all others
const UNKNOWN = ''; // the key of calls to methods that the server does not know
const PERCENTILES = [0.5, 0.9, 0.99];
const SERVERS_FAULTS = new Set(['UNKNOWN', 'INTERNAL', 'UNAVAILABLE', 'DATA_LOSS', 'DEADLINE_EXCEEDED', 'UNIMPLEMENTED']);

// ---------------------------------------------------------------- figures: no page in here

/** What has been added to a number; all of it if there was none before. */
function growth(now, before) {
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

/** An answer of the endpoint in the form that the rest works with. */
export function readAnswer(json, time) {
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

// ---------------------------------------------------------------- words

export function formatCount(number) {
  if (number === null || number === undefined || Number.isNaN(number)) {
    return '–';
  }
  const units = [[1e9, 'G'], [1e6, 'M'], [1e4, 'k']];
  for (const [unit, letter] of units) {
    if (number >= unit) {
      const shown = number / (unit === 1e4 ? 1e3 : unit);
      return shown.toFixed(shown < 100 ? 1 : 0) + ' ' + letter;
    }
  }
  if (number >= 100 || Number.isInteger(number)) {
    return Math.round(number).toLocaleString('en');
  }
  return number < 0.1 ? number.toFixed(2) : number.toFixed(1);
}

function formatExactly(number) {
  return number?.toLocaleString('en') ?? '–';
}

export function formatTime(seconds) {
  if (seconds === null || seconds === undefined) {
    return '–';
  }
  for (const [unit, name] of [[60, 'min'], [1, 's'], [1e-3, 'ms']]) {
    if (seconds >= unit * (1 - 1e-9)) {
      return threeDigits(seconds / unit) + ' ' + name;
    }
  }
  return threeDigits(seconds * 1e6) + ' µs';
}

export function formatBytes(bytes) {
  if (bytes === null || bytes === undefined) {
    return '–';
  }
  let shown = bytes;
  for (const unit of ['B', 'KB', 'MB', 'GB', 'TB']) {
    if (shown < 1024 || unit === 'TB') {
      return (unit === 'B' ? String(Math.round(shown)) : threeDigits(shown)) + ' ' + unit;
    }
    shown /= 1024;
  }
  return '–';
}

export function formatShare(share) {
  if (share === null || share === undefined) {
    return '–';
  }
  return (share * 100).toFixed(share > 0 && share < 0.0995 ? 1 : 0) + ' %';
}

function threeDigits(number) {
  return number >= 99.95 ? Math.round(number).toLocaleString('en') : String(Number(number.toPrecision(number < 10 ? 2 : 3)));
}

function formatAge(seconds) {
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) {
    return `${Math.floor(hours / 24)} days`;
  }
  if (hours >= 1) {
    return `${hours} h ${minutes % 60} min`;
  }
  return minutes >= 1 ? `${minutes} min` : `${Math.max(0, Math.floor(seconds))} s`;
}

function clock(time) {
  return new Date(time).toLocaleTimeString();
}

/** Counts by name as words, the greatest first, without those that are 0. */
export function formatCounts(counts) {
  return Object.entries(counts ?? {})
    .filter(([, count]) => count > 0)
    .sort((a, b) => b[1] - a[1])
    .map(([name, count]) => `${name} ${formatCount(count)}`)
    .join(' · ');
}

const METHOD_TYPES = {
  UNARY: 'unary',
  SERVER_STREAMING: 'server streaming',
  CLIENT_STREAMING: 'client streaming',
  BIDI_STREAMING: 'bidirectional',
};

const GUARDS = {
  'rapid-reset': 'A client began and reset too many calls (CVE-2023-44487); its connection was closed.',
  'protocol-faults': 'Too many streams had to be reset for a client\'s faults; its connection was closed.',
  'continuation-flood': 'Request headers in too many small pieces (CVE-2024-27316); the connection was closed.',
  'headers-timeout': 'Request headers, or a frame, were begun and not completed in time: a slow or hostile client.',
  'too-many-pings': 'A client pings more often than it may. Raise its keepalive time, or permit more (keepalive.permit.time).',
  'settings-flood': 'Too many SETTINGS frames (CVE-2019-9515); the connection was closed.',
  'control-flood': 'Too many frames that change nothing; the connection was closed.',
  'empty-frames': 'Too many DATA frames without data (CVE-2019-9518); the connection was closed.',
  'tiny-windows': 'A client takes responses in tiny pieces (CVE-2019-9511); the connection was closed.',
  'unread-output': 'A client causes answers that it does not read (CVE-2019-9517); the connection was closed.',
  'write-stall': 'A client has taken no byte for too long: it hangs, or the network lost it.',
  'handshake-timeout': 'A client connected and did not complete the handshake: often a port check of a load balancer.',
  'keepalive-timeout': 'A client did not answer the keepalive ping: it is gone, or the network lost it.',
  'foreign-protocol': 'Something else than HTTP/2 came, such as HTTP/1.1 or TLS on a port without: look at clients\' addresses.',
  memory: 'The bytes held for clients reached their limit: slow readers or too many large messages at once.',
};

const REFUSALS = {
  malformed: 'Header fields that break the rules of HTTP/2.',
  'not-grpc': 'Not a gRPC request: another method than POST or another content type, such as a browser\'s.',
  'metadata-too-large': 'Metadata beyond inbound.metadata.max-size: often a token or cookie that has grown.',
  'too-many-streams': 'A client had as many open calls as it may (max-concurrent-calls-per-connection); it will try again.',
  memory: 'The server held as many bytes for its clients as it may.',
  closing: 'The connection was about to close: normal when the server stops or connections age; clients try again.',
};

// ---------------------------------------------------------------- elements

const SVG = 'http://www.w3.org/2000/svg';
const byId = (id) => document.getElementById(id);

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function svg(name, attributes = {}, text = null) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  if (text !== null) {
    made.textContent = text;
  }
  return made;
}

/** Touches the page only if the text is another, so that a selection of text stays. */
function say(target, text) {
  if (target.textContent !== text) {
    target.textContent = text;
  }
}

/** Shows facts as [name, value, remark]; their elements stay as long as the names do. */
function showFacts(list, facts) {
  const shown = facts.filter(([, value]) => value !== null && value !== undefined && value !== '');
  const names = shown.map(([name]) => name).join('\n');
  if (list.facts !== names) {
    list.facts = names;
    list.replaceChildren(...shown.map(([name, , remark]) => element('div', { className: remark ? 'wide' : '' },
      element('dt', { textContent: name }), element('dd', {}, element('span'), element('small')))));
  }
  shown.forEach(([, value, remark], index) => {
    const [text, small] = list.children[index].lastChild.children;
    say(text, String(value));
    say(small, remark ? String(remark) : '');
    small.hidden = !remark;
  });
}

// ---------------------------------------------------------------- a chart

const HEIGHT = 144;
const MARGIN = { left: 52, right: 6, top: 8, bottom: 20 };

/** Lines over time with a legend. A cursor shows all charts' values of one moment in their legends. */
class Chart {

  constructor(id, format, scale, emptyText) {
    this.figure = byId(`${id}-chart`);
    this.title = byId(`${id}-title`).textContent;
    this.format = format;
    this.scale = scale;
    this.emptyText = emptyText;
    this.slots = new Map();
    this.picture = svg('svg', { class: 'chart', role: 'img', tabindex: '0' });
    this.legend = element('ul', { className: 'legend' });
    this.figure.append(this.picture, this.legend);
    this.picture.addEventListener('pointermove', (event) => this.point(event));
    this.picture.addEventListener('pointerleave', () => moveCursor(null));
    this.picture.addEventListener('blur', () => moveCursor(null));
    this.picture.addEventListener('keydown', (event) => this.step(event));
  }

  point(event) {
    const place = event.clientX - this.picture.getBoundingClientRect().left;
    const share = (place - MARGIN.left) / (this.width() - MARGIN.left - MARGIN.right);
    moveCursor(share >= 0 && share <= 1 ? page.end - page.span * (1 - share) : null);
  }

  step(event) {
    const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (direction) {
      event.preventDefault();
      const to = (page.cursor ?? page.end) + direction * page.span / 100;
      moveCursor(Math.max(page.end - page.span, Math.min(page.end, to)));
    }
    else if (event.key === 'Escape') {
      moveCursor(null);
    }
  }

  width() {
    return Math.max(200, this.picture.clientWidth);
  }

  /** A name keeps its colour as long as it is shown. */
  colour(line, all) {
    if (line.others) {
      return 's6';
    }
    for (const name of this.slots.keys()) {
      if (!all.some((other) => other.name === name)) {
        this.slots.delete(name);
      }
    }
    if (!this.slots.has(line.name)) {
      const taken = [...this.slots.values()];
      const free = [0, 1, 2, 3, 4, 5].find((slot) => !taken.includes(slot));
      this.slots.set(line.name, free ?? this.slots.size % 6);
    }
    return `s${this.slots.get(line.name)}`;
  }

  draw(samples, series) {
    const scale = this.scale(series.flatMap((line) => line.values.filter((value) => value !== null)));
    const width = this.width();
    this.picture.setAttribute('viewBox', `0 0 ${width} ${HEIGHT}`);
    const across = (time) => MARGIN.left + (width - MARGIN.left - MARGIN.right) * (1 - (page.end - time) / page.span);
    const up = (value) => HEIGHT - MARGIN.bottom - (HEIGHT - MARGIN.top - MARGIN.bottom) * scale.place(value);
    const parts = [...this.axes(scale, width, up), ...breaks(samples, across)];
    for (const line of series) {
      parts.push(svg('path', {
        class: `series ${this.colour(line, series)}`,
        d: path(samples, line.values, across, up),
      }));
    }
    if (page.cursor !== null) {
      const at = across(page.cursor);
      parts.push(svg('line', { class: 'cursor', x1: at, x2: at, y1: MARGIN.top, y2: HEIGHT - MARGIN.bottom }));
    }
    if (!series.some((line) => line.values.some((value) => value !== null))) {
      parts.push(svg('text', { class: 'empty', x: (width + MARGIN.left) / 2, y: HEIGHT / 2 }, this.emptyText()));
    }
    this.picture.replaceChildren(...parts);
    this.tell(samples, series);
  }

  axes(scale, width, up) {
    const parts = [];
    for (const tick of scale.ticks) {
      parts.push(svg('line', { class: 'rule', x1: MARGIN.left, x2: width - MARGIN.right, y1: up(tick), y2: up(tick) }),
        svg('text', { class: 'end', x: MARGIN.left - 6, y: up(tick) + 4 }, this.format(tick)));
    }
    parts.push(svg('text', { x: MARGIN.left, y: HEIGHT - 4 }, spanInWords()),
      svg('text', { class: 'end', x: width - MARGIN.right, y: HEIGHT - 4 }, 'now'));
    return parts;
  }

  tell(samples, series) {
    const index = sampleAt(samples, page.cursor);
    if (this.legend.children.length !== series.length) {
      this.legend.replaceChildren(...series.map(legendItem));
    }
    series.forEach((line, place) => {
      const [swatch, name, value] = this.legend.children[place].children;
      swatch.firstChild.setAttribute('class', this.colour(line, series));
      say(name, line.name);
      name.title = line.name;
      say(value, this.format(line.values[index] ?? null));
    });
    const words = series.map((line) => `${line.name}: ${this.format(line.values[index] ?? null)}`);
    this.picture.setAttribute('aria-label', `${this.title}, ${spanInWords()} until now. ${words.join(', ') || this.emptyText()}`);
  }

}

function spanInWords() {
  const seconds = Math.round(page.span / SECOND);
  return seconds % 60 === 0 && seconds > 60 ? `${seconds / 60} minutes ago` : `${seconds} seconds ago`;
}

function legendItem() {
  const swatch = svg('svg', { viewBox: '0 0 18 10', 'aria-hidden': 'true' });
  swatch.append(svg('line', { x1: 1, x2: 17, y1: 5, y2: 5 }));
  return element('li', {}, swatch, element('span'), element('b'));
}

function path(samples, values, across, up) {
  let drawn = '';
  let joined = false;
  values.forEach((value, index) => {
    if (value === null) {
      joined = false;
      return;
    }
    const point = `${across(samples[index].time).toFixed(1)} ${up(value).toFixed(1)}`;
    drawn += joined ? `L${point}` : `M${point}h0`;
    joined = true;
  });
  return drawn;
}

/** Where nothing is known: the server was away, or the page was not looking. */
function breaks(samples, across) {
  return samples.flatMap((sample, index) => {
    if (!sample.gap) {
      return [];
    }
    const from = Math.max(MARGIN.left, across(samples[index - 1]?.time ?? sample.time));
    const to = across(samples[index + 1]?.time ?? page.end);
    return [svg('rect', { class: 'break', x: from, y: MARGIN.top, width: Math.max(1, to - from), height: HEIGHT - MARGIN.top - MARGIN.bottom })];
  });
}

function sampleAt(samples, time) {
  if (time === null) {
    return samples.length - 1;
  }
  let nearest = 0;
  samples.forEach((sample, index) => {
    if (Math.abs(sample.time - time) < Math.abs(samples[nearest].time - time)) {
      nearest = index;
    }
  });
  return nearest;
}

function moveCursor(time) {
  if (page.cursor !== time) {
    page.cursor = time;
    drawCharts();
  }
}

// ---------------------------------------------------------------- what the page knows

const page = {
  answers: [], // of the window
  samples: [], // of the span
  answer: null,
  atFirst: null, // the first answer, for what happened while looking
  end: 0, // the right edge of the charts, on the clock of performance.now()
  span: LEAST_SPAN, // from the left edge to the right one
  cursor: null,
  selected: null,
  sort: { column: 'rate', falling: true },
  paused: false,
  failure: null, // { text, since }
  startedAt: null, // of the server that was seen last
  restarts: [],
  timer: 0,
  request: null,
};

/** Where the endpoint is: the folder of this page, whatever it is mapped to. */
function endpoint() {
  return new URL('.', document.baseURI).href.replace(/\/$/, '');
}

function quietly() {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/** With less motion wanted, the figures change every five seconds. */
function pollInterval() {
  return quietly() ? 5 * SECOND : SECOND;
}

function take(answer) {
  const before = page.answers.at(-1);
  const startedAt = answer.server.startedAt ?? page.startedAt;
  const restarted = before && (hasFallen(answer, before) || (page.startedAt && startedAt !== page.startedAt));
  page.startedAt = startedAt;
  const missed = before && (page.samples.at(-1)?.gap || answer.time - before.time > LONG_GAP);
  if (restarted) {
    page.restarts.push(Date.now());
  }
  if (before && (restarted || missed)) {
    if (!page.samples.at(-1)?.gap) {
      page.samples.push({ time: (before.time + answer.time) / 2, gap: true });
    }
    page.answers = [];
  }
  else if (before && answer.measured) {
    page.samples.push(compare(answer, before, page.answers[0]));
  }
  page.atFirst = (restarted || !page.atFirst) ? answer : page.atFirst;
  page.answer = answer;
  page.answers.push(answer);
  page.answers = page.answers.filter((kept, index, all) => !(all[index + 1] && all[index + 1].time <= answer.time - WINDOW));
  forget(answer.time);
}

function forget(now) {
  page.end = now;
  page.samples = page.samples.filter((sample) => sample.time >= now - SPAN);
  page.span = Math.max(LEAST_SPAN, Math.min(SPAN, SPAN_STEP * Math.ceil((now - (page.samples[0]?.time ?? now)) / SPAN_STEP)));
}

function lose(text) {
  page.failure = { text, since: page.failure?.since ?? Date.now() };
  const now = performance.now();
  const last = page.samples.at(-1);
  if (last && !last.gap) {
    page.samples.push({ time: now, gap: true });
  }
  forget(now);
}

// ---------------------------------------------------------------- what the charts show

/** The methods of a sample that are looked at: the chosen one, or all. */
function chosen(sample) {
  if (page.selected === null) {
    return sample.methods;
  }
  const method = sample.methods.get(page.selected);
  return new Map(method ? [[page.selected, method]] : []);
}

function methodName(key) {
  return key === UNKNOWN ? 'unknown methods' : key.slice(key.lastIndexOf('.', key.indexOf('/')) + 1);
}

function rates(sample) {
  return new Map([...chosen(sample)].map(([key, method]) => [key, method.rate]));
}

function errors(sample) {
  const all = new Map();
  for (const method of chosen(sample).values()) {
    for (const [code, rate] of method.statuses) {
      if (code !== 'OK') {
        all.set(code, (all.get(code) ?? 0) + rate);
      }
    }
  }
  return all;
}

/** The methods whose latency is shown: the chosen one, else the unary ones, else all. */
function timed(sample) {
  const methods = [...chosen(sample).values()];
  const unary = methods.filter((method) => method.type === 'UNARY');
  return (page.selected === null && unary.length > 0) ? unary : methods;
}

function percentiles(sample) {
  // once for each sample and choice: the charts are drawn again and again
  if (sample.percentilesOf !== page.selected || !sample.percentiles) {
    const buckets = mergeBuckets(timed(sample).map((method) => method.lately.buckets));
    sample.percentiles = PERCENTILES.map((share) => percentile(buckets, share));
    sample.percentilesOf = page.selected;
  }
  return sample.percentiles;
}

function each(samples, value) {
  return samples.map((sample) => (sample.gap ? null : value(sample) ?? null));
}

const known = (samples) => samples.filter((sample) => !sample.gap);

const SERIES = {
  rate: (samples) => {
    const names = busiest(known(samples), rates, LINES);
    return lines(samples, names, rates, 'others').map((line) => ({ ...line, name: line.others ? line.name : methodName(line.name) }));
  },
  latency: (samples) => PERCENTILES
    .map((share, index) => ({ name: `p${share * 100}`, values: each(samples, (sample) => percentiles(sample)[index]) })),
  errors: (samples) => lines(samples, busiest(known(samples), errors, LINES), errors, 'others'),
  connections: (samples) => [
    { name: 'connections', values: each(samples, (sample) => sample.connections) },
    { name: 'streams', values: each(samples, (sample) => sample.streams) }],
  loops: (samples) => loopLines(samples),
  traffic: (samples) => [
    { name: 'received', values: each(samples, (sample) => sample.received) },
    { name: 'sent', values: each(samples, (sample) => sample.sent) }],
};

function loopLines(samples) {
  const count = page.answer?.loops.length ?? 0;
  if (count <= LINES + 1) {
    return (page.answer?.loops ?? [])
      .map((loop, index) => ({ name: `loop ${loop.index}`, values: each(samples, (sample) => sample.loops[index]?.share) }))
      .filter((line) => line.values.some((value) => value !== null));
  }
  const shares = (sample) => sample.loops.map((loop) => loop.share ?? 0);
  return [
    { name: 'busiest loop', values: each(samples, (sample) => Math.max(...shares(sample))) },
    { name: 'mean', values: each(samples, (sample) => sum(shares(sample)) / Math.max(1, sample.loops.length)) }];
}

function nothingYet(words) {
  return () => {
    if (page.answer && !page.answer.measured) {
      return 'Not measured';
    }
    return page.failure ? 'No answer from the server' : !page.samples.some((sample) => !sample.gap) ? 'Waiting for figures' : words;
  };
}

const perSecond = (number) => (number === null ? '–' : formatCount(number));
const linear = (values) => linearScale(values, 1);

const charts = {
  rate: new Chart('rate', perSecond, linear, nothingYet('No calls in this time')),
  latency: new Chart('latency', formatTime, logarithmicScale, nothingYet('No calls in this time')),
  errors: new Chart('errors', perSecond, linear, nothingYet('No errors in this time')),
  connections: new Chart('connections', formatCount, (values) => linearScale(values, 2), nothingYet('Not measured')),
  loops: new Chart('loops', formatShare, () => ({ ticks: [0, 0.5, 1], place: (share) => share }), nothingYet('Not measured')),
  traffic: new Chart('traffic', formatBytes, byteScale, nothingYet('Nothing in this time')),
};

function drawCharts() {
  for (const [id, chart] of Object.entries(charts)) {
    chart.draw(page.samples, SERIES[id](page.samples));
  }
}

// ---------------------------------------------------------------- figures beside the charts

function showFigures() {
  const sample = page.samples.at(-1);
  const current = (sample && !sample.gap) ? sample : null;
  say(byId('rate-figure'), current ? `${formatCount(sum(rates(current).values()))} /s` : '–');
  say(byId('latency-figure'), current ? `p99 ${formatTime(percentiles(current)[2])}` : '–');
  say(byId('errors-figure'), current ? failedShare(current) : '–');
  say(byId('connections-figure'), formatCount(page.answer.connections.open ?? null));
  say(byId('loops-figure'), current ? formatShare(busiestLoop(current)) : '–');
  say(byId('traffic-figure'), current ? `${formatBytes(current.received + current.sent)} /s` : '–');
  byId('latency-scope').hidden = page.selected !== null || (current !== null && timed(current).length === current.methods.size);
  showTotals(page.answer);
}

function failedShare(sample) {
  const methods = [...chosen(sample).values()].map((method) => method.lately);
  const ended = sum(methods.map((method) => method.ended));
  return ended > 0 ? `${formatShare(sum(methods.map((method) => method.failed)) / ended)} of calls` : 'no calls';
}

function busiestLoop(sample) {
  const shares = sample.loops.map((loop) => loop.share).filter((share) => share !== null);
  return shares.length > 0 ? Math.max(...shares) : null;
}

function showTotals(answer) {
  for (const id of ['statuses', 'closed', 'traffic-more']) {
    byId(id).hidden = !answer.measured;
  }
  const statuses = new Map();
  for (const method of chosen(answer).values()) {
    for (const [code, count] of Object.entries(method.statuses ?? {})) {
      statuses.set(code, (statuses.get(code) ?? 0) + count);
    }
  }
  say(byId('statuses'), `Since the start: ${formatCounts(Object.fromEntries(statuses)) || 'no calls'}.`);
  const closed = formatCounts(answer.connections.closed);
  say(byId('closed'), `Since the start: ${formatCount(answer.connections.opened)} opened${closed ? `; closed by ${closed}` : ''}; `
    + `${formatCount(answer.streams.opened)} streams.`);
  say(byId('traffic-more'), `Since the start: ${formatBytes(answer.bytes.received)} received, ${formatBytes(answer.bytes.sent)} sent in `
    + `${formatCount(answer.bytes.flushes)} flushes. Now: ${formatBytes(answer.bytes.buffered ?? 0)} buffered, `
    + `${formatCount(answer.streams.stalled ?? 0)} streams stalled; ${formatTime(answer.streams.stallTime || 0)} stalled altogether.`);
}

function showServer(server) {
  const started = Date.parse(server.startedAt);
  showFacts(byId('facts'), [
    ['Address', (server.addresses ?? []).join(', ') || 'none', null],
    ['Up for', Number.isNaN(started) ? null : formatAge((Date.now() - started) / SECOND), null],
    ['Calls in progress', page.answer.measured ? formatCount(sum([...page.answer.methods.values()].map((method) => method.active))) : null],
    ['Event loops', server.workers, null],
    ['Backend', server.backend, server.backendReason],
    ['Service code runs on', ...splitRemark(server.executor)]]);
}

/** What stands in brackets at the end is said in small print. */
function splitRemark(text) {
  const parts = /^(.*?) \((.*)\)$/.exec(text ?? '');
  return parts ? [parts[1], parts[2]] : [text];
}

const LOOP_COLUMNS = [
  ['Busy', (loop) => formatShare(loop.share)],
  ['Connections', (loop) => formatCount(loop.connections)],
  ['Pending tasks', (loop) => formatCount(loop.pendingTasks)],
];

function showLoops() {
  const holder = byId('loops-table');
  const loops = page.samples.findLast((sample) => !sample.gap)?.loops ?? page.answer.loops;
  if (holder.loops !== loops.length) {
    holder.loops = loops.length;
    holder.replaceChildren(loopTable(loops));
  }
  const rows = holder.querySelectorAll('tbody tr');
  loops.forEach((loop, index) => {
    const [, busy, ...cells] = rows[index].children;
    busy.querySelector('.bar').setAttribute('width', 100 * (loop.share ?? 0));
    LOOP_COLUMNS.forEach(([, value], column) => say(cells[column], value(loop)));
  });
}

function loopTable(loops) {
  const heads = [['Loop', ''], ['', ''], ...LOOP_COLUMNS.map(([text]) => [text, 'number'])];
  const rows = loops.map((loop) => {
    const meter = svg('svg', { class: 'meter', viewBox: '0 0 100 8', preserveAspectRatio: 'none', 'aria-hidden': 'true' });
    meter.append(svg('rect', { class: 'track', width: 100, height: 8 }), svg('rect', { class: 'bar', width: 0, height: 8 }));
    return element('tr', {}, element('th', { scope: 'row', textContent: String(loop.index) }), element('td', {}, meter),
      ...LOOP_COLUMNS.map(() => element('td', { className: 'number' })));
  });
  return element('table', {},
    element('thead', {}, element('tr', {}, ...heads.map(([text, className]) => (text
      ? element('th', { scope: 'col', textContent: text, className }) : element('td'))))),
    element('tbody', {}, ...rows));
}

function troubles(answer) {
  const first = page.atFirst;
  const rows = (counts, before, words, kind) => Object.entries(counts ?? {})
    .filter(([, count]) => count > 0)
    .map(([name, count]) => ({ name: `${kind} ${name}`, words: words[name] ?? '', count, lately: growth(count, before?.[name]) }));
  return [...rows(answer.guards, first.guards, GUARDS, 'Guard'),
    ...rows(answer.streams.refused, first.streams.refused, REFUSALS, 'Refused:')];
}

function showTroubles() {
  const found = troubles(page.answer);
  byId('troubles').hidden = found.length === 0;
  byId('troubles-rows').replaceChildren(...found.map((row) => element('tr', {},
    element('th', { scope: 'row', textContent: row.name }, element('p', { className: 'hint', textContent: row.words })),
    element('td', { className: 'number', textContent: formatCount(row.count) }),
    element('td', { className: 'number', textContent: formatCount(row.lately) }))));
}

/** Only those who may see addresses get them from the endpoint. */
function showClients() {
  const clients = page.answer.clients ?? [];
  byId('clients-card').hidden = clients.length === 0;
  showFacts(byId('clients'), clients.map((client) => [client.address, `${formatCount(client.connections)} connections`]));
}

function showLimits() {
  const limits = Object.entries(page.answer.limits);
  byId('limits-card').hidden = limits.length === 0;
  showFacts(byId('limits'), limits.map(([name, value]) => [name, String(value)]));
}

// ---------------------------------------------------------------- the table of methods

const COLUMNS = [
  { id: 'name', text: 'Method', value: (row) => row.key, className: '' },
  { id: 'type', text: 'Type', value: (row) => METHOD_TYPES[row.method.type] ?? '', className: 'minor' },
  { id: 'runs', text: 'Runs on', value: (row) => (row.method.runsOn ?? '').replace('-', ' '), className: 'minor' },
  { id: 'rate', text: 'Per second', value: (row) => row.lately?.rate ?? null, show: formatCount, className: 'number' },
  { id: 'failed', text: 'Errors', value: (row) => (row.lately?.ended ? row.lately.failed / row.lately.ended : null), show: formatShare, className: 'number' },
  { id: 'p50', text: 'p50', value: (row) => row.percentile(0.5), show: formatTime, className: 'number minor' },
  { id: 'p99', text: 'p99', value: (row) => row.percentile(0.99), show: formatTime, className: 'number' },
  { id: 'active', text: 'In progress', value: (row) => row.method.active ?? null, show: formatCount, className: 'number minor' },
  { id: 'closed', text: 'Since the start', value: (row) => row.method.closed ?? null, show: formatExactly, className: 'number minor' },
];

const rowsByKey = new Map();

function methodRows() {
  const sample = page.samples.findLast((candidate) => !candidate.gap);
  return [...page.answer.methods].filter(([key, method]) => key !== UNKNOWN || method.started > 0)
    .map(([key, method]) => {
      const lately = sample?.methods.get(key)?.lately;
      const shares = new Map(lately ? [0.5, 0.99].map((share) => [share, percentile(lately.buckets, share)]) : []);
      return { key, method, lately, percentile: (share) => shares.get(share) ?? null };
    });
}

/** Compares by a column; what has no value comes last whichever way, and equals are in the order of names. */
export function byColumn(value, falling) {
  return (a, b) => {
    const [first, second] = [value(a), value(b)];
    if (first === null || second === null) {
      return (first === null) - (second === null) || (a.key < b.key ? -1 : 1);
    }
    const order = first < second ? -1 : first > second ? 1 : 0;
    return (falling ? -order : order) || (a.key < b.key ? -1 : 1);
  };
}

function showMethods(reorder) {
  const body = byId('methods-rows');
  const words = byId('filter').value.trim().toLowerCase();
  const all = methodRows();
  const rows = all.filter((row) => row.key.toLowerCase().includes(words));
  const column = COLUMNS.find((candidate) => candidate.id === page.sort.column);
  rows.sort(byColumn(column.value, page.sort.falling));
  const elements = rows.map((row) => showMethod(row));
  // rows do not move under the pointer, nor away from the keyboard
  const held = body.matches(':hover') || body.contains(document.activeElement);
  const same = elements.length === body.children.length && elements.every((shown) => shown.parentNode === body);
  if (reorder || !held || !same) {
    arrange(body, elements);
  }
  byId('filter-line').hidden = all.length < 10;
  say(byId('filter-count'), words ? `${rows.length} of ${all.length} methods` : `${all.length} methods`);
}

function arrange(body, elements) {
  if (elements.some((shown, index) => body.children[index] !== shown) || elements.length !== body.children.length) {
    const focused = document.activeElement;
    body.replaceChildren(...elements);
    if (elements.some((shown) => shown.contains(focused))) {
      focused.focus();
    }
  }
}

function showMethod(row) {
  if (!rowsByKey.has(row.key)) {
    rowsByKey.set(row.key, makeRow(row));
  }
  const shown = rowsByKey.get(row.key);
  shown.classList.toggle('selected', page.selected === row.key);
  shown.querySelector('button').setAttribute('aria-pressed', String(page.selected === row.key));
  COLUMNS.slice(1).forEach((column, index) => {
    const value = column.value(row);
    say(shown.children[index + 1], column.show ? column.show(value) : value || '–');
  });
  shown.children[4].classList.toggle('bad', hasServersFault(row));
  return shown;
}

function hasServersFault(row) {
  const sample = page.samples.findLast((candidate) => !candidate.gap);
  const codes = sample?.methods.get(row.key)?.statuses.keys() ?? [];
  return row.key !== UNKNOWN && [...codes].some((code) => SERVERS_FAULTS.has(code));
}

function makeRow(row) {
  const button = element('button', { type: 'button', textContent: row.method.name });
  button.addEventListener('click', () => select(page.selected === row.key ? null : row.key));
  const head = element('th', { scope: 'row' }, element('small', { textContent: row.method.service }), button);
  return element('tr', {}, head, ...COLUMNS.slice(1).map((column) => element('td', { className: column.className })));
}

function makeHead() {
  byId('methods-head').replaceChildren(...COLUMNS.map((column) => {
    const button = element('button', { type: 'button', textContent: column.text });
    button.addEventListener('click', () => sortBy(column));
    return element('th', { scope: 'col', className: column.className }, button);
  }));
  markSorted();
}

function sortBy(column) {
  const falling = page.sort.column === column.id ? !page.sort.falling : column.show !== undefined;
  page.sort = { column: column.id, falling };
  markSorted();
  if (page.answer) {
    showMethods(true);
  }
}

function markSorted() {
  COLUMNS.forEach((column, index) => {
    const head = byId('methods-head').children[index];
    if (column.id === page.sort.column) {
      head.setAttribute('aria-sort', page.sort.falling ? 'descending' : 'ascending');
    }
    else {
      head.removeAttribute('aria-sort');
    }
  });
}

function select(key) {
  page.selected = key;
  show();
  if (key !== null) {
    byId('selection').scrollIntoView({ block: 'nearest', behavior: quietly() ? 'auto' : 'smooth' });
  }
}

function showSelection() {
  const method = page.selected === null ? null : page.answer.methods.get(page.selected);
  byId('selection').hidden = !method;
  if (!method) {
    page.selected = null;
    return;
  }
  const latency = method.latency ?? {};
  say(byId('selection-title'), page.selected === UNKNOWN ? 'Methods that the server does not know' : page.selected);
  showFacts(byId('selection-facts'), [
    ['Type', METHOD_TYPES[method.type] ?? method.type],
    ['Runs on', method.runsOn?.replace('-', ' ')],
    ['Calls since the start', `${formatExactly(method.started)}, ${formatExactly(method.active)} in progress`],
    ['Messages', `${formatExactly(method.messagesReceived)} received, ${formatExactly(method.messagesSent)} sent`],
    ['Bytes of messages', `${formatBytes(method.bytesReceived)} received, ${formatBytes(method.bytesSent)} sent`],
    ['p50, p90, p99 since the start', `${formatTime(latency.p50)}, ${formatTime(latency.p90)}, ${formatTime(latency.p99)}`]]);
}

// ---------------------------------------------------------------- what there is to say

function notices() {
  const said = [];
  if (page.failure) {
    const seen = page.answer ? ' What you see is what it said last.' : '';
    said.push(['bad', `${page.failure.text} Since ${clock(page.failure.since)}; trying again every ${retryInterval() / SECOND} seconds.${seen}`]);
  }
  if (page.answer && !page.failure) {
    said.push(...serverNotices(page.answer));
  }
  const recent = page.restarts.filter((time) => time > Date.now() - SPAN);
  if (recent.length > 2) {
    said.push(['warn', 'The figures jump back again and again: several instances seem to answer at this address in turn. Open the page of one of them.']);
  }
  else if (recent.length > 0) {
    said.push(['info', `The server was restarted at about ${clock(recent.at(-1))}: its figures start anew.`]);
  }
  return said;
}

function serverNotices(answer) {
  const said = [];
  if (answer.server.state === 'draining') {
    said.push(['warn', 'The server drains: it ends the calls in progress, tells clients to go elsewhere, and then stops.']);
  }
  if (answer.server.state === 'stopped') {
    said.push(['bad', 'The gRPC server is stopped; the application still runs. The log tells why.']);
  }
  if (!answer.measured) {
    said.push(['warn', `There are no figures. ${answer.uncounted} Without grpc.server.metrics.enabled=false and an EngineTelemetry bean, the server counts calls, connections and event loops.`]);
  }
  else if (sum([...answer.methods.values()].map((method) => method.started ?? 0)) === 0) {
    const address = answer.server.port ? `, port ${answer.server.port}` : '';
    said.push(['info', `No call has come yet${address}. Make one, and it shows here within a second.`]);
  }
  return said;
}

function showNotices() {
  const said = notices();
  const words = said.map(([, text]) => text).join('\n');
  const holder = byId('notices');
  if (holder.words !== words) {
    holder.words = words;
    holder.replaceChildren(...said.map(([kind, text]) => element('p', { className: `notice ${kind}`, textContent: text })));
  }
}

function showState() {
  const state = page.failure ? 'unreachable' : page.answer?.server.state ?? 'connecting';
  const kind = { running: 'good', draining: 'warn', stopped: 'bad', unreachable: 'bad' }[state] ?? '';
  const badge = byId('state');
  badge.className = `badge ${kind}`;
  say(badge, state);
  byId('page').classList.toggle('stale', page.failure !== null && page.answer !== null);
  const interval = pollInterval() / SECOND;
  const every = interval === 1 ? 'every second' : `every ${interval} seconds`;
  say(byId('pulse'), page.paused ? 'Paused' : page.failure ? 'No answer' : `Live, ${every} · ${clock(Date.now())}`);
}

function show() {
  showState();
  showNotices();
  if (page.answer) {
    showServer(page.answer.server);
    showSelection();
    showFigures();
    showLoops();
    showTroubles();
    showMethods(false);
    showClients();
    showLimits();
  }
  drawCharts();
}

// ---------------------------------------------------------------- asking

function retryInterval() {
  return Math.max(2 * SECOND, pollInterval());
}

async function ask() {
  const response = await fetch(endpoint(), {
    headers: { Accept: 'application/json' },
    cache: 'no-store',
    credentials: 'same-origin',
    redirect: 'manual',
    signal: AbortSignal.any([page.request.signal, AbortSignal.timeout(TIMEOUT)]),
  });
  if (response.type === 'opaqueredirect' || response.status === 401 || response.status === 403) {
    throw new Refused('The application wants you to log in, or does not allow you to see this: load the page again.');
  }
  if (!response.ok) {
    throw new Refused(`The application answers with status ${response.status}.`);
  }
  return readAnswer(await response.json(), performance.now());
}

class Refused extends Error {}

function reason(failure) {
  if (failure instanceof Refused) {
    return failure.message;
  }
  if (failure instanceof SyntaxError) {
    return 'Something answers, but not this endpoint: a proxy or a login page.';
  }
  return failure.name === 'TimeoutError' ? `No answer within ${TIMEOUT / SECOND} seconds: the application hangs, or the network does.`
    : 'The application cannot be reached: it has stopped, or the network is down.';
}

async function poll() {
  const begun = performance.now();
  const request = new AbortController();
  page.request = request;
  try {
    const answer = await ask();
    if (page.request !== request) {
      return;
    }
    page.failure = null;
    take(answer);
  }
  catch (failure) {
    if (request.signal.aborted) {
      return;
    }
    lose(reason(failure));
  }
  const took = performance.now() - begun;
  // a server or a network that is slow is asked less often
  const interval = Math.min(LONGEST_REST, Math.max(pollInterval() - took, 2 * took));
  page.timer = setTimeout(poll, page.failure ? retryInterval() : interval);
  show();
}

function halt() {
  clearTimeout(page.timer);
  page.request?.abort();
  page.request = null;
}

/** Asks as long as somebody looks. */
function goOn() {
  halt();
  if (!page.paused && !document.hidden) {
    poll();
  }
}

function pause() {
  page.paused = !page.paused;
  byId('pause').setAttribute('aria-pressed', String(page.paused));
  goOn();
  showState();
}

makeHead();
byId('source').href = endpoint();
byId('pause').addEventListener('click', pause);
byId('all-methods').addEventListener('click', () => select(null));
byId('filter').addEventListener('input', () => page.answer && showMethods(true));
document.addEventListener('visibilitychange', goOn);
new ResizeObserver(() => drawCharts()).observe(byId('page'));
goOn();
