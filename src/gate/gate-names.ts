/** Drops the leading colon that agents copy from Cypher. */
export function stripColon(name: string): string {
  return name.startsWith(':') ? name.slice(1) : name;
}

/** Marks a remapped node with its original label, with exactly one leading colon. */
export function remapMark(name: string): string {
  return `:${name.replace(/^:+/, '')}`;
}

/** Only the gate may set these. */
export const protectedFields: ReadonlySet<string> = new Set([
  'confidence',
  'write_gate_version',
  'source',
  'extraction_method',
  'last_updated',
  'derived_from',
]);

/** Marks a node that exists only because a relationship needed it. */
export const stubMark = '_stub';

export function isReserved(property: string): boolean {
  return property.startsWith('_');
}
