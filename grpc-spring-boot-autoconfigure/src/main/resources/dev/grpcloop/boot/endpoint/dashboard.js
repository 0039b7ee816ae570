/*
 * The page of the actuator endpoint "grpc". It asks the endpoint every second, and draws
 * what has changed since the answers before.
 *
 * dashboard-figures.js and dashboard-words.js know nothing of a page. dashboard-memory.js
 * keeps what was seen; dashboard-series.js makes lines of it for dashboard-chart.js.
 * dashboard-cards.js and dashboard-methods.js show the rest.
 */

import { showClients, showFigures, showLimits, showLoops, showServer, showTroubles } from './dashboard-cards.js';
import { byId, element, say } from './dashboard-elements.js';
import { SECOND, readAnswer, sum } from './dashboard-figures.js';
import { SPAN, lose, page, take } from './dashboard-memory.js';
import { chooseAll, makeTable, showMethods, showSelection } from './dashboard-methods.js';
import { drawCharts } from './dashboard-series.js';
import { clock } from './dashboard-words.js';

const TIMEOUT = 10 * SECOND;
const LONGEST_REST = 5 * SECOND;

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

function notices() {
  const said = [];
  if (page.failure) {
    const seen = page.answer ? ' What you see is what it said last.' : '';
    said.push(['bad', `${page.failure.text} Since ${clock(page.failure.since)}; trying again every ${retryInterval() / SECOND} seconds.${seen}`]);
  }
  if (page.answer && !page.failure) {
    said.push(...serverNotices(page.answer));
  }
  const recent = page.restarts.filter(({ time }) => time > page.end - SPAN);
  if (recent.length > 2) {
    said.push(['warn', 'The figures jump back again and again: several instances seem to answer at this address in turn. Open the page of one of them.']);
  }
  else if (recent.length > 0) {
    said.push(['info', `The server was restarted at about ${clock(recent.at(-1).clock)}: its figures start anew.`]);
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
    said.push(['warn', `There are no figures. ${answer.uncounted}`]);
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
  const interval = Math.round(page.interval / SECOND);
  const every = interval <= 1 ? 'every second' : `every ${interval} seconds`;
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
  const json = await response.json();
  const serverClock = Date.parse(response.headers.get('Date'));
  return readAnswer(json, performance.now(), Date.now(), Number.isNaN(serverClock) ? Date.now() : serverClock);
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
  page.interval = took + interval;
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

makeTable(show);
byId('source').href = endpoint();
byId('pause').addEventListener('click', pause);
byId('all-methods').addEventListener('click', chooseAll);
byId('filter').addEventListener('input', () => page.answer && showMethods(true));
document.addEventListener('visibilitychange', goOn);
new ResizeObserver(() => drawCharts()).observe(byId('page'));
goOn();
