import type { DrawingFormat } from './drawing-format.js';

/** For Graphviz. */
export const dotFormat: DrawingFormat = {
  head: 'digraph memory {\n  node [shape=box];\n',
  node(id, { name, type, observations }) {
    const tooltip = observations.length === 0 ? '' : `, tooltip=${quote(observations.join('\n'))}`;
    return `  n${id} [label=${quote(type === '' ? name : `${name}\n${type}`)}${tooltip}];\n`;
  },
  edge: (from, to, { type }) => `  n${from} -> n${to} [label=${quote(type)}];\n`,
  tail: '}\n',
};

/** In a label, a backslash starts an escape and `&` an HTML entity. */
function quote(text: string): string {
  const escaped = text
    .replaceAll('&', '&amp;')
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll(/\r\n?|\n/g, '\\n');
  return `"${escaped.replaceAll(/\p{Cc}/gu, '\uFFFD')}"`;
}
