/*
 * The table of methods, and the one method that is chosen.
 */

import { byId, element, say, sayParts, showFacts } from './dashboard-elements.js';
import { UNKNOWN, percentile } from './dashboard-figures.js';
import { page } from './dashboard-memory.js';
import { METHOD_TYPES, breakable, formatBytes, formatCount, formatExactly, formatShare, formatTime } from './dashboard-words.js';

const SERVERS_FAULTS = new Set(['UNKNOWN', 'INTERNAL', 'UNAVAILABLE', 'DATA_LOSS', 'RESOURCE_EXHAUSTED', 'DEADLINE_EXCEEDED', 'UNIMPLEMENTED']);

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

export function showMethods(reorder) {
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
  return row.key !== UNKNOWN && [...row.lately?.statuses.keys() ?? []].some((code) => SERVERS_FAULTS.has(code));
}

function makeRow(row) {
  const button = element('button', { type: 'button' });
  const service = element('small');
  sayParts(button, breakable(row.method.name));
  sayParts(service, breakable(row.method.service));
  button.addEventListener('click', () => select(page.selected === row.key ? null : row.key));
  const head = element('th', { scope: 'row' }, service, button);
  return element('tr', {}, head, ...COLUMNS.slice(1).map((column) => element('td', { className: column.className })));
}

let redraw = () => {};

/** Makes the table, which tells that another method is to be shown. */
export function makeTable(whenChosen) {
  redraw = whenChosen;
  makeHead();
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

export function chooseAll() {
  select(null);
}

function select(key) {
  page.selected = key;
  redraw();
  if (key !== null) {
    byId('selection').scrollIntoView({ block: 'nearest' });
  }
}

export function showSelection() {
  const method = page.selected === null ? null : page.answer.methods.get(page.selected);
  byId('selection').hidden = !method;
  if (!method) {
    page.selected = null;
    return;
  }
  const latency = method.latency ?? {};
  sayParts(byId('selection-title'), page.selected === UNKNOWN ? ['Methods that the server does not know'] : breakable(page.selected));
  showFacts(byId('selection-facts'), [
    ['Type', METHOD_TYPES[method.type] ?? method.type],
    ['Runs on', method.runsOn?.replace('-', ' ')],
    ['Calls since the start', `${formatExactly(method.started)}, ${formatExactly(method.active)} in progress`],
    ['Messages', `${formatExactly(method.messagesReceived)} received, ${formatExactly(method.messagesSent)} sent`],
    ['Bytes of messages', `${formatBytes(method.bytesReceived)} received, ${formatBytes(method.bytesSent)} sent`],
    ['p50, p90, p99 since the start', `${formatTime(latency.p50)}, ${formatTime(latency.p90)}, ${formatTime(latency.p99)}`]]);
}
