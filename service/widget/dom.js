// Elements made without markup strings: text can only ever become text.

export function el(name, properties = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === 'class') node.className = value;
    else if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? '' : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

const WEB = new Set(['http:', 'https:']);

/** The address if it is one of the web, else null. */
export function webAddress(text) {
  try {
    const url = new URL(text);
    return WEB.has(url.protocol) ? url : null;
  } catch {
    return null;
  }
}

/** A link to a web address; plain text for any other. */
export function link(text, address, properties = {}) {
  const url = webAddress(address);
  if (!url) return el('span', properties, text);
  return el('a', { ...properties, href: url.href, target: '_blank', rel: 'noopener noreferrer nofollow' }, text);
}
