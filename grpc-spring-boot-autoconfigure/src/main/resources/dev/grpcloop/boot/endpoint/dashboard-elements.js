/*
 * Makes and changes elements. What comes from the server reaches the page as text alone
 * (textContent), never as markup, and colours and places come from classes and attributes
 * of SVG, so that the page can forbid all that is inline.
 */

const SVG = 'http://www.w3.org/2000/svg';
export const byId = (id) => document.getElementById(id);

export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

export function svg(name, attributes = {}, text = null) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  if (text !== null) {
    made.textContent = text;
  }
  return made;
}

/** Sets text whose lines may end after each of its parts. */
export function sayParts(target, parts) {
  if (target.textContent !== parts.join('')) {
    target.replaceChildren(...parts.flatMap((part, index) => (index > 0 ? [document.createElement('wbr'), part] : [part])));
  }
}

/** Touches the page only if the text is another, so that a selection of text stays. */
export function say(target, text) {
  if (target.textContent !== text) {
    target.textContent = text;
  }
}

/** Shows facts as [name, value, remark]; their elements stay as long as the names do. */
export function showFacts(list, facts) {
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
