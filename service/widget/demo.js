// The demo page: its texts in three languages, its example questions, and the widget beside them.

import { htmlLanguage, languageOf, loadStrings, speaker } from './language.js';

const strings = await loadStrings();
const chat = document.querySelector('sizewright-chat');

function show(language) {
  const say = speaker(language);
  document.documentElement.lang = htmlLanguage(language);
  chat.setAttribute('lang', language);
  for (const node of document.querySelectorAll('[data-t]')) node.textContent = say(node.dataset.t);
  document.title = `Sizewright — ${say('title')}`;
  document.getElementById('questions').replaceChildren(
    ...Object.keys(strings[language]).filter((key) => /^demo\.q\d/.test(key)).map((key) => button(say(key), () => ask(say(key)))),
  );
  const switches = Object.keys(strings).map((other) => {
    const node = button(strings[other].name, () => show(other));
    node.lang = htmlLanguage(other);
    node.setAttribute('aria-pressed', String(other === language));
    return node;
  });
  const nav = document.getElementById('languages');
  nav.setAttribute('aria-label', say('demo.language'));
  nav.replaceChildren(...switches);
  document.getElementById('embed').textContent =
    `<script type="module" src="${location.origin}/widget.js"></${'script'}>\n<sizewright-chat lang="${language}"></sizewright-chat>`;
}

function ask(question) {
  chat.scrollIntoView({ block: 'nearest' });
  chat.ask(question);
}

function button(text, act) {
  const node = document.createElement('button');
  node.type = 'button';
  node.textContent = text;
  node.addEventListener('click', act);
  return node;
}

show(languageOf(new URLSearchParams(location.search).get('lang')) ?? languageOf(navigator.language) ?? 'en');
