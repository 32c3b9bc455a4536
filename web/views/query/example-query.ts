import { type KnownNames, quotedType } from './completion.js';

/** A first query that fits the graph. */
export function exampleQuery({
  types,
  nodeTypes,
  isKnown,
}: KnownNames & { readonly isKnown: boolean }): string {
  if (!isKnown) return '';
  const declared = types.find(({ kind }) => kind === 'node');
  const type = declared?.name ?? quotedType(nodeTypes[0] ?? 'Person');
  const properties = declared?.properties.slice(0, 3).map(({ name }) => name) ?? ['name', 'summary'];
  return `query example() {
  match { $n: ${type} }
  return { ${properties.map((name) => `$n.${name}`).join(', ')} }
  limit 20
}
`;
}
