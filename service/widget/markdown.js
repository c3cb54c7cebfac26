// A small Markdown reader for answers: paragraphs, headings, lists, tables, code, emphasis, links and citation marks.
// It builds nodes; nothing in the text can become an element that is not named here.

import { el, link } from './dom.js';

const INLINE =
  /(`+)(.+?)\1|\*\*(.+?)\*\*|\*(?!\s)([^*\n]+?)(?<!\s)\*|\[(\d{1,3})\](?!\()|\[([^\]\n]+)\]\(([^)\s]+)\)|\\([\\`*_[\]|#~])/g;
const PUNCTUATION = /^[.,;:!?)\]，。；：！？、）】」』]*/;
const RUN = 3; // marks that stay together
const ITEM = /^(\s*)([-*+]|\d{1,3}[.)])\s+(.*)$/;
const RULE = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

/** Nodes of a line; `mark(n)` makes the node of a citation mark. */
export function inline(text, mark) {
  const nodes = [];
  let at = 0;
  for (const found of text.matchAll(INLINE)) {
    const [, , code, strong, emphasis, n, label, address, escaped] = found;
    push(nodes, text.slice(at, found.index), n !== undefined);
    if (code !== undefined) nodes.push(el('code', {}, code));
    else if (strong !== undefined) nodes.push(el('strong', {}, ...inline(strong, mark)));
    else if (emphasis !== undefined) nodes.push(el('em', {}, ...inline(emphasis, mark)));
    else if (n !== undefined) keep(nodes, mark(Number(n)) ?? found[0]);
    else if (label !== undefined) nodes.push(link(label, address));
    else nodes.push(escaped);
    at = found.index + found[0].length;
  }
  push(nodes, text.slice(at), false);
  return nodes;
}

/** Text: punctuation stays on the line of the mark before it, and marks need no blank between them. */
function push(nodes, text, beforeMark) {
  const before = nodes.at(-1);
  if (before?.className === 'keep') {
    if (beforeMark && !text.trim()) return;
    const sign = PUNCTUATION.exec(text)[0];
    before.append(sign);
    text = text.slice(sign.length);
  }
  if (text) nodes.push(text);
}

/** A mark stays on the line of the word before it; a long run of marks may break. */
function keep(nodes, node) {
  const before = nodes.at(-1);
  if (before?.className === 'keep') {
    if (before.childElementCount < RUN) before.append(node);
    else nodes.push(el('span', { class: 'keep' }, node));
  } else if (typeof before === 'string') {
    const word = /(?:[^\s\u2e80-\uffef]{1,24}|\S)?\s?$/.exec(before)[0];
    nodes.splice(-1, 1, before.slice(0, before.length - word.length), el('span', { class: 'keep' }, word, node));
  } else nodes.push(node);
}

/** Nodes of a whole text. */
export function markdown(text, mark) {
  const lines = text.split('\n');
  const blocks = [];
  let i = 0;
  while (i < lines.length) {
    const line = lines[i];
    const heading = /^(#{1,6})\s+(.*)$/.exec(line);
    if (!line.trim()) i += 1;
    else if (/^\s*```/.test(line)) {
      const end = lines.findIndex((other, at) => at > i && /^\s*```\s*$/.test(other));
      const stop = end < 0 ? lines.length : end;
      blocks.push(el('pre', { tabindex: '0' }, el('code', {}, lines.slice(i + 1, stop).join('\n'))));
      i = stop + 1;
    } else if (heading) {
      blocks.push(el(heading[1].length < 3 ? 'h3' : 'h4', {}, ...inline(heading[2], mark)));
      i += 1;
    } else if (line.includes('|') && RULE.test(lines[i + 1] ?? '') && lines[i + 1].includes('-')) {
      const start = i;
      while (i < lines.length && lines[i].includes('|')) i += 1;
      blocks.push(table(lines.slice(start, i), mark));
    } else if (ITEM.test(line)) {
      const start = i;
      while (i < lines.length && (ITEM.test(lines[i]) || /^\s{2,}\S/.test(lines[i]))) i += 1;
      blocks.push(list(lines.slice(start, i), mark));
    } else if (/^>\s?/.test(line)) {
      const start = i;
      while (i < lines.length && /^>\s?/.test(lines[i])) i += 1;
      blocks.push(el('blockquote', {}, ...markdown(lines.slice(start, i).map((l) => l.replace(/^>\s?/, '')).join('\n'), mark)));
    } else {
      const start = i;
      i += 1;
      while (i < lines.length && lines[i].trim() && !ITEM.test(lines[i]) && !/^(#{1,6}\s|>|\s*```)/.test(lines[i])) {
        if (lines[i].includes('|') && RULE.test(lines[i + 1] ?? '')) break;
        i += 1;
      }
      blocks.push(el('p', {}, ...inline(lines.slice(start, i).join('\n'), mark)));
    }
  }
  return blocks;
}

function list(lines, mark) {
  const [, indent, sign] = ITEM.exec(lines[0]);
  const ordered = /\d/.test(sign);
  const node = el(ordered ? 'ol' : 'ul', ordered && parseInt(sign, 10) !== 1 ? { start: parseInt(sign, 10) } : {});
  let i = 0;
  while (i < lines.length) {
    const content = ITEM.exec(lines[i])?.[3] ?? lines[i].trim();
    const start = (i += 1);
    while (i < lines.length && /^\s*/.exec(lines[i])[0].length > indent.length) i += 1;
    const inner = lines.slice(start, i);
    const item = el('li', {}, ...inline(content, mark));
    if (inner.length) item.append(...(ITEM.test(inner[0]) ? [list(inner, mark)] : inline(` ${inner.map((l) => l.trim()).join(' ')}`, mark)));
    node.append(item);
  }
  return node;
}

function cells(line) {
  const inner = line.trim().replace(/^\|/, '').replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
}

function table(lines, mark) {
  const sides = cells(lines[1]).map((rule) => (rule.endsWith(':') ? 'end' : ''));
  const row = (line, name) => el('tr', {}, ...cells(line).map((cell, at) => el(name, { class: sides[at] || null, scope: name === 'th' && 'col' }, ...inline(cell, mark))));
  return scrolled(el('table', {}, el('thead', {}, row(lines[0], 'th')), el('tbody', {}, ...lines.slice(2).map((line) => row(line, 'td')))));
}

/** Wide content scrolls in its own box, also by keyboard. */
export function scrolled(node) {
  return el('div', { class: 'scroll', tabindex: '0', role: 'group' }, node);
}
