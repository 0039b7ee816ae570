/*
 * What the page knows: the answers of the last seconds, the samples of the last minutes, and
 * what somebody has chosen.
 */

import { SECOND, compare, hasFallen } from './dashboard-figures.js';

export const SPAN = 300 * SECOND; // what charts show at most
const LEAST_SPAN = 60 * SECOND;
const SPAN_STEP = 30 * SECOND;
const WINDOW = 10 * SECOND; // what percentiles and shares are of
const LONG_GAP = 20 * SECOND; // answers further apart are not joined by a line
const CLOCKS_APART = 2 * SECOND; // the machine slept, or its clock was set

export const page = {
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
  restarts: [], // { time, clock }
  interval: 0, // from one question to the next
  timer: 0,
  request: null,
};

export function take(answer) {
  const before = page.answers.at(-1);
  const startedAt = answer.server.startedAt ?? page.startedAt;
  const restarted = before && (hasFallen(answer, before) || (page.startedAt && startedAt !== page.startedAt));
  page.startedAt = startedAt;
  const missed = before && (isLost() || answer.time - before.time > LONG_GAP || isOffBeat(answer, before));
  if (restarted) {
    page.restarts.push({ time: answer.time, clock: answer.clock });
  }
  if (before && (restarted || missed)) {
    if (!isLost()) {
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

/** Whether there has been no answer since the last gap. */
function isLost() {
  const last = page.samples.at(-1);
  return Boolean(last?.gap) && last.time > page.answers.at(-1).time;
}

/** Not every clock goes on while a machine sleeps: then nobody knows how much time has passed. */
function isOffBeat(now, before) {
  return Math.abs((now.clock - before.clock) - (now.time - before.time)) > CLOCKS_APART;
}

function forget(now) {
  page.end = now;
  page.samples = page.samples.filter((sample) => sample.time >= now - SPAN);
  page.span = Math.max(LEAST_SPAN, Math.min(SPAN, SPAN_STEP * Math.ceil((now - (page.samples[0]?.time ?? now)) / SPAN_STEP)));
}

export function lose(text) {
  page.failure = { text, since: page.failure?.since ?? Date.now() };
  const now = performance.now();
  if (page.answers.length > 0 && !isLost()) {
    page.samples.push({ time: now, gap: true });
  }
  forget(now);
}
