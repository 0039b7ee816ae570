/*
 * What the charts show.
 */

import { Chart } from './dashboard-chart.js';
import { UNKNOWN, busiest, byteScale, lines, linearScale, logarithmicScale, mergeBuckets, percentile, sum } from './dashboard-figures.js';
import { page } from './dashboard-memory.js';
import { formatBytes, formatCount, formatShare, formatTime } from './dashboard-words.js';

const LINES = 5; // of a chart, beside the one of all others
const PERCENTILES = [0.5, 0.9, 0.99];

function moveCursor(time) {
  if (page.cursor !== time) {
    page.cursor = time;
    drawCharts();
  }
}

/** The methods of a sample that are looked at: the chosen one, or all. */
export function chosen(sample) {
  if (page.selected === null) {
    return sample.methods;
  }
  const method = sample.methods.get(page.selected);
  return new Map(method ? [[page.selected, method]] : []);
}

function methodName(key) {
  return key === UNKNOWN ? 'unknown methods' : key.slice(key.lastIndexOf('.', key.indexOf('/')) + 1);
}

export function rates(sample) {
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
export function timed(sample) {
  const methods = [...chosen(sample).values()];
  const unary = methods.filter((method) => method.type === 'UNARY');
  return (page.selected === null && unary.length > 0) ? unary : methods;
}

export function percentiles(sample) {
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
  rate: new Chart('rate', perSecond, linear, nothingYet('No calls in this time'), moveCursor),
  latency: new Chart('latency', formatTime, logarithmicScale, nothingYet('No calls in this time'), moveCursor),
  errors: new Chart('errors', perSecond, linear, nothingYet('No errors in this time'), moveCursor),
  connections: new Chart('connections', formatCount, (values) => linearScale(values, 2), nothingYet('Not measured'), moveCursor),
  loops: new Chart('loops', formatShare, () => ({ ticks: [0, 0.5, 1], place: (share) => share }), nothingYet('Not measured'), moveCursor),
  traffic: new Chart('traffic', formatBytes, byteScale, nothingYet('Nothing in this time'), moveCursor),
};

export function drawCharts() {
  for (const [id, chart] of Object.entries(charts)) {
    chart.draw(page.samples, SERIES[id](page.samples));
  }
}
