/** A label or relationship type without the one leading colon that Cypher writes and agents copy; two are no name. */
export function stripColon(name: string): string {
  return name.startsWith(':') ? name.slice(1) : name;
}

/** The mark on a remapped node: what it was called, with one leading colon however many were sent. */
export function remapMark(name: string): string {
  return `:${name.replace(/^:+/, '')}`;
}

/** What only the gate computes; agents declare inputs, never these. */
export const protectedFields: ReadonlySet<string> = new Set([
  'confidence',
  'write_gate_version',
  'source',
  'extraction_method',
  'last_updated',
]);

/** The mark on a node that exists only because a relationship was written before it. */
export const stubMark = '_stub';

/** Names that begin like this are the gate's own. */
export function isReserved(property: string): boolean {
  return property.startsWith('_');
}
