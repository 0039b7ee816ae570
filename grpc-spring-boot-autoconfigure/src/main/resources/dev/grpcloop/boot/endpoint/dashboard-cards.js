/*
 * What stands beside and below the charts: figures, facts, tables of loops and refusals.
 */

import { byId, element, say, showFacts, svg } from './dashboard-elements.js';
import { SECOND, growth, sum } from './dashboard-figures.js';
import { page } from './dashboard-memory.js';
import { chosen, percentiles, rates, timed } from './dashboard-series.js';
import { GUARDS, REFUSALS, formatAge, formatBytes, formatCount, formatCounts, formatExactly, formatShare, formatTime } from './dashboard-words.js';

export function showFigures() {
  const sample = page.samples.at(-1);
  const current = (sample && !sample.gap) ? sample : null;
  say(byId('rate-figure'), current ? `${formatCount(sum(rates(current).values()))} /s` : '–');
  say(byId('latency-figure'), current ? `p99 ${formatTime(percentiles(current)[2])}` : '–');
  say(byId('errors-figure'), current ? failedShare(current) : '–');
  say(byId('connections-figure'), page.answer.measured ? `${formatCount(page.answer.connections.open ?? 0)} open` : '–');
  say(byId('loops-figure'), current ? busiestLoop(current) : '–');
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
  const share = formatShare(Math.max(...shares));
  return shares.length > 1 ? `busiest ${share}` : shares.length > 0 ? `${share} busy` : '–';
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

export function showServer(server) {
  const started = Date.parse(server.startedAt);
  showFacts(byId('facts'), [
    ['Address', (server.addresses ?? []).join(', ') || 'none', null],
    ['Up for', Number.isNaN(started) ? null : formatAge((page.answer.serverClock - started) / SECOND), null],
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

export function showLoops() {
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

export function showTroubles() {
  const found = troubles(page.answer);
  byId('troubles').hidden = found.length === 0;
  byId('troubles-rows').replaceChildren(...found.map((row) => element('tr', {},
    element('th', { scope: 'row', textContent: row.name }, element('p', { className: 'hint', textContent: row.words })),
    element('td', { className: 'number', textContent: formatCount(row.count) }),
    element('td', { className: 'number', textContent: formatCount(row.lately) }))));
}

/** Only those who may see addresses get them from the endpoint. */
export function showClients() {
  const clients = page.answer.clients ?? [];
  byId('clients-card').hidden = clients.length === 0;
  showFacts(byId('clients'), clients.map((client) => [client.address, `${formatCount(client.connections)} connections`]));
}

export function showLimits() {
  const limits = Object.entries(page.answer.limits);
  byId('limits-card').hidden = limits.length === 0;
  showFacts(byId('limits'), limits.map(([name, value]) => [name, typeof value === 'number' ? value.toLocaleString('en') : String(value)]));
}
