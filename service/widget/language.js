// Which of the three interface languages, and its strings.

let strings = null;

export async function loadStrings() {
  strings ??= await (await fetch(new URL('strings.json', import.meta.url))).json();
  return strings;
}

/** zh, zh-Hant or en for a language tag; null for none. */
export function languageOf(tag) {
  if (!tag) return null;
  if (/^zh\b.*(hant|tw|hk|mo)/i.test(tag)) return 'zh-Hant';
  return /^zh\b/i.test(tag) ? 'zh' : 'en';
}

export const htmlLanguage = (language) => ({ zh: 'zh-Hans', 'zh-Hant': 'zh-Hant' })[language] ?? 'en';

/** A function from key to text; a key that is not there gives `otherwise`. */
export function speaker(language) {
  return (key, values = {}, otherwise = key) =>
    (strings[language]?.[key] ?? otherwise).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}
