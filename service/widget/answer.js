// An answer as elements: verdict, text with marks, chart, derivation, assumptions, sources, follow-ups.

import { el, link, webAddress } from './dom.js';
import { markdown, scrolled, inline } from './markdown.js';

const SIGNS = { fits: '✓', fits_with_conditions: '△', does_not_fit: '✕' };

/** `show(citation, button)` opens a citation; `ask(text)` asks a follow-up. */
export function answerParts(answer, { say, show, ask }) {
  const mark = (n) => citationMark(answer, n, say, show);
  const parts = [
    answer.kind === 'declined' && declinedHead(answer, say),
    answer.kind === 'clarification' && el('p', { class: 'badge ask' }, say('clarification')),
    answer.verdict && el('p', { class: `badge ${answer.verdict}` }, `${SIGNS[answer.verdict]} ${say(`verdict.${answer.verdict}`)}`),
    el('div', { class: 'text' }, ...markdown(answer.text, mark)),
    answer.table && !/^\s*\|/m.test(answer.text) && dataTable(answer.table, mark),
    answer.declined && declinedRest(answer.declined, say),
    answer.breakdown?.length && bars(answer.breakdown, say),
    answer.disagreements?.length && notes('disagreement', answer.disagreements.map((d) => [`${d.claim} — ${d.why} `, ...d.sources.map(mark).filter(Boolean)]), say),
    answer.warnings?.length && notes('warnings', answer.warnings.map((w) => inline(w, mark)), say),
    answer.assumptions?.length && assumptions(answer.assumptions, say),
    answer.derivation?.length && derivation(answer, say, mark),
    answer.citations?.length && sources(answer, say, mark),
  ];
  return parts.filter(Boolean);
}

export function followUps(answer, { say, ask }) {
  if (!answer.follow_ups?.length) return null;
  const chips = answer.follow_ups.map((text) => el('button', { type: 'button', class: 'chip', onclick: () => ask(text) }, text));
  return el('div', { class: 'chips', role: 'group', 'aria-label': say('followUps') }, ...chips);
}

function citationMark(answer, n, say, show) {
  const citation = answer.citations.find((c) => c.n === n);
  if (!citation) return null;
  const label = say('sourceLabel', { n, title: citation.source.title });
  const button = el('button', { type: 'button', class: 'mark', 'aria-label': label, 'aria-haspopup': 'dialog', 'aria-expanded': 'false' }, String(n));
  button.addEventListener('click', () => show(citation, button));
  return button;
}

function declinedHead(answer, say) {
  const reason = answer.declined?.reason;
  return el('p', { class: 'badge none' }, say(`declined.${reason}`, {}, say('declined')));
}

function declinedRest(declined, say) {
  const missing = declined.missing?.length && el('p', {}, say('missing', { list: declined.missing.map((s) => slotName(s, say)).join(' · ') }));
  const nearest = declined.nearest?.length && el('div', {}, el('p', { class: 'label' }, say('nearest')), el('ul', { class: 'plain' }, ...declined.nearest.map((d) => el('li', {}, link(d.title, d.url)))));
  return el('div', { class: 'nearest' }, missing || null, nearest || null);
}

function bars(breakdown, say) {
  const most = Math.max(...breakdown.map((c) => c.value), Number.MIN_VALUE);
  const rows = breakdown.map((c) => {
    const bar = el('span', { class: 'bar', 'aria-hidden': 'true' });
    bar.style.setProperty('--share', `${(100 * c.value) / most}%`);
    return el('li', {}, el('span', { class: 'part' }, say(`part.${c.component}`, {}, c.component.replaceAll('_', ' '))), el('span', { class: 'track' }, bar), el('span', { class: 'figure' }, `${figure(c.value)} ${c.unit}`));
  });
  return el('figure', { class: 'bars' }, el('figcaption', { class: 'label' }, say('breakdown')), el('ul', {}, ...rows));
}

function notes(key, items, say) {
  return el('div', { class: 'note' }, el('p', { class: 'label' }, say(key)), ...items.map((nodes) => el('p', {}, ...nodes)));
}

function assumptions(list, say) {
  const items = list.flatMap((a, at) => [at ? ' · ' : ' ', el('strong', {}, `${slotName(a.slot, say)} = ${shown(a.value)}`), a.reason ? ` (${a.reason})` : '']);
  return el('p', { class: 'assumed' }, el('span', { class: 'label' }, say('assumed')), ...items);
}

function derivation(answer, say, mark) {
  const rows = answer.derivation.map((line) =>
    el(
      'tr',
      {},
      el('td', {}, el('code', { class: 'rule' }, line.rule), el('br'), line.formula),
      el('td', {}, line.text || Object.entries(line.inputs).map(([name, i]) => `${name} = ${figure(i.value)} ${i.unit === '1' ? '' : i.unit}`.trim()).join(', ')),
      el('td', { class: 'end' }, `${figure(line.result.value)} ${line.result.unit === '1' ? '' : line.result.unit} `, mark(line.citation)),
    ),
  );
  const head = el('tr', {}, ...['formula', 'calculation', 'result'].map((key) => el('th', { scope: 'col', class: key === 'result' && 'end' }, say(key))));
  return el('details', {}, el('summary', {}, `${say('derivation')} (${rows.length})`), scrolled(el('table', {}, el('thead', {}, head), el('tbody', {}, ...rows))));
}

function dataTable(data, mark) {
  const head = el('tr', {}, ...data.columns.map((c) => el('th', { scope: 'col' }, ...inline(String(c), mark))));
  const rows = data.rows.map((row) => el('tr', {}, ...row.map((cell) => el('td', {}, ...inline(shown(cell), mark)))));
  return scrolled(el('table', {}, el('thead', {}, head), el('tbody', {}, ...rows)));
}

function sources(answer, say, mark) {
  const items = answer.citations.map((c) => {
    const host = webAddress(c.source.url)?.host;
    const when = c.source.published ?? c.source.retrieved;
    return el('li', {}, mark(c.n), ' ', link(c.source.title, c.source.url), el('span', { class: 'quiet' }, [host, when].filter(Boolean).map((t) => ` · ${t}`).join('')));
  });
  return el('details', {}, el('summary', {}, `${say('sources')} (${items.length})`), el('ul', { class: 'plain' }, ...items));
}

/** What the citation popover holds. */
export function citationParts(citation, say) {
  const { source, locator } = citation;
  const place = locator.rule ?? (locator.table ? [locator.table, locator.row, locator.column].join(' › ') : (locator.heading_path ?? []).join(' › '));
  const dates = [source.published && say('published', { date: source.published }), source.retrieved && say('retrieved', { date: source.retrieved })];
  const host = webAddress(source.url)?.host;
  return [
    el('p', { class: 'label' }, `[${citation.n}] ${say(`kind.${source.kind}`)}`),
    el('p', { class: 'source' }, source.title),
    el('blockquote', {}, citation.quote),
    el('p', { class: 'quiet' }, [place, ...dates].filter(Boolean).join(' · ')),
    host && el('p', {}, link(`${say('openSource', { host })} ↗`, source.url)),
  ].filter(Boolean);
}

const slotName = (slot, say) => say(`slot.${slot}`, {}, slot.replaceAll('_', ' '));
const shown = (value) => (typeof value === 'number' ? figure(value) : typeof value === 'object' && value ? JSON.stringify(value) : String(value ?? '—'));

function figure(value) {
  if (typeof value !== 'number') return String(value ?? '—');
  if (value && (Math.abs(value) >= 1e9 || Math.abs(value) < 1e-3)) return value.toExponential(3).replace(/\.?0+e\+?/, ' × 10^').replace(/e\+?/, ' × 10^');
  return value.toLocaleString('en', { maximumFractionDigits: Math.abs(value) < 10 ? 3 : 1 });
}
