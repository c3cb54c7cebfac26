// <sizewright-chat>: a conversation with the service, inline or floating. Attributes: lang, mode (floating | inline),
// theme (auto | light | dark), endpoint. Methods: ask, open, close, toggle, reset. Event: sizewright-answer.

import { answerParts, citationParts, followUps } from './answer.js';
import { el } from './dom.js';
import { htmlLanguage, languageOf, loadStrings, speaker } from './language.js';
import { markdown } from './markdown.js';
import { ask, Refused } from './stream.js';

let sheet = null;

async function loadSheet() {
  sheet ??= fetch(new URL('widget.css', import.meta.url))
    .then((reply) => reply.text())
    .then((css) => new CSSStyleSheet().replace(css));
  return sheet;
}

export class SizewrightChat extends HTMLElement {
  static observedAttributes = ['lang', 'mode'];

  #root = this.attachShadow({ mode: 'open' });
  #parts = {};
  #say = (key) => key;
  #language = 'en';
  #conversation = null;
  #request = null;
  #composedAt = 0;
  #citation = null;
  #ready = null;

  connectedCallback() {
    this.#ready ??= Promise.all([loadStrings(), loadSheet()]).then(([, css]) => {
      this.#root.adoptedStyleSheets = [css];
      this.#build();
    });
  }

  disconnectedCallback() {
    this.#request?.abort();
  }

  attributeChangedCallback() {
    if (this.#parts.panel) this.#build();
  }

  get #inline() {
    return this.getAttribute('mode') === 'inline';
  }

  // --- the frame ---

  #build() {
    this.#language = languageOf(this.getAttribute('lang')) ?? languageOf(document.documentElement.lang) ?? languageOf(navigator.language) ?? 'en';
    const say = (this.#say = speaker(this.#language));
    const kept = this.#parts.log ? [...this.#parts.log.children].slice(1) : [];
    const wasOpen = this.#inline || this.#parts.panel?.hidden === false;
    this.#closeCitation(false);
    const button = (key, sign, act, cls = 'icon') => el('button', { type: 'button', class: cls, 'aria-label': say(key), title: say(key), onclick: act }, sign);
    const title = el('h2', { id: 'title' }, say('title'));
    const log = el('div', { class: 'log', role: 'log', 'aria-live': 'polite', 'aria-label': say('log'), tabindex: '0' }, el('p', { class: 'welcome' }, say('welcome')), ...kept);
    const input = el('textarea', { rows: '1', 'aria-label': say('questionLabel'), placeholder: say('placeholder'), autocomplete: 'off' });
    input.value = this.#parts.input?.value ?? '';
    const send = el('button', { type: 'submit', class: 'send' }, say('send'));
    const status = el('p', { class: 'status', role: 'status' });
    const form = el('form', {}, input, send, el('p', { class: 'hint', 'aria-hidden': 'true' }, say('hint')));
    const head = el('header', {}, title, button('newChat', '＋', () => this.reset()), !this.#inline && button('close', '✕', () => this.close()));
    const panel = el('section', { class: 'panel', id: 'panel', role: this.#inline ? 'region' : 'dialog', 'aria-labelledby': 'title' }, head, log, status, form);
    const launcher = this.#inline
      ? null
      : el('button', { type: 'button', class: 'launcher', 'aria-expanded': 'false', 'aria-controls': 'panel', onclick: () => this.toggle() }, say('open'));
    const frame = el('div', { class: `frame ${this.#inline ? 'inline' : 'floating'}`, lang: htmlLanguage(this.#language) }, panel, launcher);
    this.#root.replaceChildren(frame);
    this.#parts = { frame, panel, log, input, send, status, form, launcher };
    panel.hidden = !wasOpen;
    this.#bind();
    this.#busy(Boolean(this.#request));
    if (wasOpen && launcher) launcher.setAttribute('aria-expanded', 'true');
  }

  #bind() {
    const { input, form, panel } = this.#parts;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (this.#request) this.#request.abort();
      else this.ask(input.value);
    });
    input.addEventListener('compositionend', (event) => (this.#composedAt = event.timeStamp));
    input.addEventListener('input', () => this.#grow());
    input.addEventListener('keydown', (event) => {
      const composing = event.isComposing || event.keyCode === 229 || event.timeStamp - this.#composedAt < 50;
      if (event.key !== 'Enter' || event.shiftKey || composing) return;
      event.preventDefault();
      if (!this.#request) this.ask(input.value);
    });
    panel.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && !event.isComposing) this.#escape(event);
      else if (event.key === 'Tab') this.#trap(event);
    });
    panel.addEventListener('click', (event) => {
      if (this.#citation && !event.composedPath().some((node) => node === this.#citation.box || node === this.#citation.button)) this.#closeCitation(false);
    });
  }

  #grow() {
    const { input } = this.#parts;
    input.style.height = 'auto';
    input.style.height = `${Math.min(input.scrollHeight, 160)}px`;
  }

  #escape(event) {
    event.stopPropagation();
    if (this.#citation) this.#closeCitation(true);
    else if (this.#request) this.#request.abort();
    else if (!this.#inline) this.close();
  }

  /** On a small screen the panel covers the page, and focus stays in it. */
  #trap(event) {
    if (this.#inline || !matchMedia('(max-width: 480px)').matches) return;
    const reachable = [...this.#parts.panel.querySelectorAll('button, a[href], textarea, summary, [tabindex="0"]')].filter((node) => node.offsetParent);
    const at = reachable.indexOf(this.#root.activeElement);
    if (event.shiftKey ? at <= 0 : at === reachable.length - 1) {
      event.preventDefault();
      reachable.at(event.shiftKey ? -1 : 0).focus();
    }
  }

  // --- what a page may call ---

  async open() {
    await this.#ready;
    this.#parts.panel.hidden = false;
    this.#parts.launcher?.setAttribute('aria-expanded', 'true');
    this.#parts.panel.toggleAttribute('aria-modal', false);
    if (!this.#inline && matchMedia('(max-width: 480px)').matches) this.#parts.panel.setAttribute('aria-modal', 'true');
    this.#parts.input.focus();
  }

  close() {
    if (this.#inline || !this.#parts.panel) return;
    this.#closeCitation(false);
    this.#parts.panel.hidden = true;
    this.#parts.launcher.setAttribute('aria-expanded', 'false');
    this.#parts.launcher.focus();
  }

  toggle() {
    return this.#parts.panel?.hidden ? this.open() : this.close();
  }

  /** Forgets the conversation, here and at the service. */
  reset() {
    this.#request?.abort();
    if (this.#conversation) fetch(new URL(`v1/conversations/${encodeURIComponent(this.#conversation)}`, this.endpoint), { method: 'DELETE' }).catch(() => {});
    this.#conversation = null;
    this.#closeCitation(false);
    this.#parts.log.replaceChildren(this.#parts.log.firstElementChild);
    this.#parts.status.textContent = '';
    this.#parts.input.focus();
  }

  get endpoint() {
    return new URL(this.getAttribute('endpoint') ?? new URL('..', import.meta.url), document.baseURI);
  }

  async ask(question) {
    await this.#ready;
    const text = question.trim();
    if (!text || this.#request) return;
    if (this.#parts.panel.hidden) await this.open();
    const { log, input } = this.#parts;
    log.querySelectorAll('.chips').forEach((node) => node.remove());
    input.value = '';
    this.#grow();
    log.append(el('article', { class: 'asked', 'aria-label': this.#say('you') }, el('p', {}, text)));
    const article = el('article', { class: 'answer', 'aria-label': this.#say('answer'), 'aria-busy': 'true' }, el('p', { class: 'waiting' }, this.#say('searching')));
    log.append(article);
    this.#follow();
    await this.#run(text, article);
  }

  // --- one question ---

  async #run(text, article) {
    const request = (this.#request = new AbortController());
    this.#busy(true);
    let written = '';
    const on = (name, data) => {
      if (name === 'delta') {
        written += data.text;
        article.replaceChildren(el('div', { class: 'text' }, ...markdown(written, () => null)));
        this.#follow();
      } else if (name === 'answer') this.#show(data, article);
    };
    try {
      const body = this.#conversation ? { question: text, conversation_id: this.#conversation } : { question: text };
      await ask(this.endpoint, body, { language: htmlLanguage(this.#language).replace('zh-Hans', 'zh-CN'), signal: request.signal, say: this.#say, on });
      this.#parts.status.textContent = this.#say('ready');
    } catch (error) {
      const message = error instanceof Refused ? error.message : this.#say(error.name === 'AbortError' ? 'stopped' : 'failed');
      this.#fail(message, error instanceof Refused && error.again, text, article, error.name === 'AbortError');
    } finally {
      if (this.#request === request) this.#request = null;
      article.removeAttribute('aria-busy');
      this.#busy(false);
    }
  }

  #show(answer, article) {
    this.#conversation = answer.conversation_id;
    const tools = { say: this.#say, show: (citation, button) => this.#openCitation(citation, button), ask: (text) => this.ask(text) };
    article.lang = htmlLanguage(answer.language);
    article.className = `answer ${answer.kind}`;
    article.replaceChildren(...answerParts(answer, tools), this.#foot(answer));
    const chips = followUps(answer, tools);
    if (chips) this.#parts.log.append(chips);
    this.#follow(article);
    this.dispatchEvent(new CustomEvent('sizewright-answer', { detail: answer, bubbles: true, composed: true }));
  }

  #foot(answer) {
    const copy = el('button', { type: 'button', class: 'quiet-button' }, this.#say('copy'));
    copy.addEventListener('click', async () => {
      await navigator.clipboard?.writeText(answer.text).catch(() => {});
      copy.textContent = this.#say('copied');
    });
    return el('footer', { class: 'quiet' }, answer.declined ? null : el('span', {}, this.#say('confidence', { n: Math.round(100 * answer.confidence) })), copy);
  }

  #fail(message, again, text, article, stopped) {
    this.#parts.status.textContent = stopped ? message : '';
    const retry = el('button', { type: 'button', class: 'chip' }, this.#say('retry'));
    retry.addEventListener('click', () => {
      article.previousElementSibling?.remove();
      article.remove();
      this.ask(text);
    });
    article.className = stopped ? 'answer stopped' : 'answer failed';
    const head = stopped ? null : el('p', { class: 'badge failed' }, this.#say('failed'));
    article.replaceChildren(...[head, el('p', {}, message), (again || stopped) && retry].filter(Boolean));
    this.#follow();
  }

  #busy(busy) {
    const { send, status } = this.#parts;
    send.textContent = this.#say(busy ? 'stop' : 'send');
    send.classList.toggle('stop', busy);
    if (busy) status.textContent = this.#say('searching');
  }

  /** Keeps the newest in view; a long answer from its beginning. */
  #follow(article) {
    const { log } = this.#parts;
    const asked = article?.previousElementSibling;
    log.scrollTop = asked ? asked.offsetTop - log.offsetTop - 12 : log.scrollHeight;
  }

  // --- the citation popover ---

  #openCitation(citation, button) {
    const same = this.#citation?.button === button;
    this.#closeCitation(false);
    if (same) return;
    const close = el('button', { type: 'button', class: 'icon', 'aria-label': this.#say('close'), onclick: () => this.#closeCitation(true) }, '✕');
    const label = this.#say('sourceLabel', { n: citation.n, title: citation.source.title });
    const box = el('div', { class: 'citation', role: 'dialog', 'aria-label': label, tabindex: '-1' }, close, ...citationParts(citation, this.#say));
    this.#parts.panel.append(box);
    const panel = this.#parts.panel.getBoundingClientRect();
    const at = button.getBoundingClientRect();
    const left = Math.max(12, Math.min(at.left - panel.left - 24, panel.width - box.offsetWidth - 12));
    const below = at.bottom - panel.top + 8;
    const top = below + box.offsetHeight < panel.height - 12 ? below : Math.max(12, at.top - panel.top - box.offsetHeight - 8);
    box.style.left = `${left}px`;
    box.style.top = `${top}px`;
    button.setAttribute('aria-expanded', 'true');
    this.#citation = { box, button };
    box.focus({ preventScroll: true });
  }

  #closeCitation(restore) {
    if (!this.#citation) return;
    const { box, button } = this.#citation;
    this.#citation = null;
    box.remove();
    button.setAttribute('aria-expanded', 'false');
    if (restore) button.focus();
  }
}
