import type { DrawingFormat } from './drawing-format.js';

const keys = [
  ['node', 'name', 'string'],
  ['node', 'type', 'string'],
  ['node', 'summary', 'string'],
  ['node', 'tags', 'string'],
  ['node', 'observations', 'string'],
  ['node', 'props', 'string'],
  ['edge', 'relation', 'string'],
  ['edge', 'key', 'string'],
  ['edge', 'weight', 'double'],
  ['edge', 'properties', 'string'],
] as const;

const declarations = keys
  .map(([of, name, type]) => `  <key id="${name}" for="${of}" attr.name="${name}" attr.type="${type}"/>\n`)
  .join('');

/** For Gephi, yEd, NetworkX and others. Lists and properties are JSON. */
export const graphmlFormat: DrawingFormat = {
  head: `<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n${declarations}  <graph edgedefault="directed">\n`,
  node(id, { name, type, summary, tags, observations, props }) {
    const values = [
      data('name', name),
      data('type', type),
      ...(summary === null ? [] : [data('summary', summary)]),
      ...(tags.length === 0 ? [] : [data('tags', JSON.stringify(tags))]),
      ...(observations.length === 0 ? [] : [data('observations', JSON.stringify(observations))]),
      ...(Object.keys(props).length === 0 ? [] : [data('props', JSON.stringify(props))]),
    ];
    return `    <node id="n${id}">${values.join('')}</node>\n`;
  },
  edge(from, to, { type, key, weight, props }) {
    const values = [
      data('relation', type),
      ...(key === '' ? [] : [data('key', key)]),
      data('weight', String(weight)),
      ...(Object.keys(props).length === 0 ? [] : [data('properties', JSON.stringify(props))]),
    ];
    return `    <edge source="n${from}" target="n${to}">${values.join('')}</edge>\n`;
  },
  tail: '  </graph>\n</graphml>\n',
};

function data(key: string, text: string): string {
  return `<data key="${key}">${escapeXml(text)}</data>`;
}

/** XML cannot contain most control characters, not even escaped. */
function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;')
    .replaceAll(/[^\P{Cc}\t\n\x85]|[\uFFFE\uFFFF]/gu, '\uFFFD');
}
