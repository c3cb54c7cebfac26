// The API document as a readable page: operations, their fields, and the schemas they name.

import { el } from './dom.js';
import { inline } from './markdown.js';

const api = await (await fetch('/openapi.json')).json();
const place = document.getElementById('operations');
const schemas = api.components.schemas;

/** A type in words, with links to the schemas it names. */
function type(schema) {
  if (!schema) return ['any'];
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1);
    return [el('a', { href: `#${name}` }, name)];
  }
  if (schema.enum) return [schema.enum.map((value) => JSON.stringify(value)).join(' | ')];
  if (schema.anyOf) return schema.anyOf.flatMap((one, at) => [at ? ' | ' : '', ...type(one)]);
  if (schema.type === 'array') return ['[', ...type(schema.items), ']'];
  const limits = ['minimum', 'exclusiveMinimum', 'maximum', 'maxLength'].filter((key) => key in schema).map((key) => `${key} ${schema[key]}`);
  return [schema.type ?? 'any', limits.length ? ` (${limits.join(', ')})` : ''];
}

function fields(schema) {
  const rows = Object.entries(schema.properties ?? {}).map(([name, field]) =>
    el('tr', {}, el('td', {}, el('code', {}, name), schema.required?.includes(name) ? ' *' : ''), el('td', {}, ...type(field)), el('td', {}, field.description ?? '')),
  );
  return el('div', { class: 'scroll', tabindex: '0' }, el('table', {}, el('tbody', {}, ...rows)));
}

const named = (content) => Object.values(content ?? {})[0]?.schema;

place.append(el('p', {}, api.info.description));
for (const [path, operations] of Object.entries(api.paths)) {
  for (const [method, operation] of Object.entries(operations)) {
    const taken = named(operation.requestBody?.content);
    const given = named(operation.responses['200']?.content);
    place.append(
      el('h2', {}, el('code', {}, `${method.toUpperCase()} ${path}`)),
      el('p', {}, ...inline(operation.description ?? operation.summary ?? '', () => null)),
      el('p', {}, taken ? 'takes ' : '', ...(taken ? type(taken) : []), taken && given ? ', ' : '', ...(given ? ['gives ', ...type(given)] : [])),
    );
  }
}
place.append(el('h1', {}, 'Schemas'));
for (const [name, schema] of Object.entries(schemas)) {
  place.append(el('h2', { id: name }, name), el('p', {}, ...inline(schema.description ?? '', () => null)), fields(schema));
}
