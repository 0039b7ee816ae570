/*
 * A chart: lines over time with a legend.
 */

import { byId, element, say, svg } from './dashboard-elements.js';
import { SECOND } from './dashboard-figures.js';
import { page } from './dashboard-memory.js';

const HEIGHT = 144;
const MARGIN = { left: 52, right: 6, top: 8, bottom: 20 };

/** Lines over time with a legend. A cursor shows all charts' values of one moment in their legends. */
export class Chart {

  constructor(id, format, scale, emptyText, moveCursor) {
    this.figure = byId(`${id}-chart`);
    this.title = byId(`${id}-title`).textContent;
    this.format = format;
    this.scale = scale;
    this.emptyText = emptyText;
    this.moveCursor = moveCursor;
    this.slots = new Map();
    this.picture = svg('svg', { class: 'chart', role: 'img', tabindex: '0' });
    this.legend = element('ul', { className: 'legend' });
    this.figure.append(this.picture, this.legend);
    this.picture.addEventListener('pointermove', (event) => this.point(event));
    this.picture.addEventListener('pointerleave', () => this.moveCursor(null));
    this.picture.addEventListener('blur', () => this.moveCursor(null));
    this.picture.addEventListener('keydown', (event) => this.step(event));
  }

  point(event) {
    const place = event.clientX - this.picture.getBoundingClientRect().left;
    const share = (place - MARGIN.left) / (this.width() - MARGIN.left - MARGIN.right);
    this.moveCursor(share >= 0 && share <= 1 ? page.end - page.span * (1 - share) : null);
  }

  step(event) {
    const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (direction) {
      event.preventDefault();
      const to = (page.cursor ?? page.end) + direction * page.span / 100;
      this.moveCursor(Math.max(page.end - page.span, Math.min(page.end, to)));
    }
    else if (event.key === 'Escape') {
      this.moveCursor(null);
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
        svg('text', { class: 'end', x: MARGIN.left - 6, y: up(tick) + 4 }, withoutZeros(this.format(tick))));
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

/** 50 k rather than 50.0 k: what stands at an axis is round. */
function withoutZeros(text) {
  return text.replace(/\.0+(?=\D|$)/, '');
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
