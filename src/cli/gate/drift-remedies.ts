import type { Drift } from '../../gate/drift-counter.js';
import { shellQuote } from '../../model/quoting.js';

export type RegistryLocation =
  | { readonly kind: 'graph' }
  | { readonly kind: 'typed' }
  | { readonly kind: 'elsewhere'; readonly name: string };

/** Commands that can be copied. */
export function driftRemedies(
  { labels, relationship_types, properties }: Drift,
  place: RegistryLocation,
  flags: readonly string[],
): string[] {
  if (labels.length + relationship_types.length + properties.length === 0) return [];
  if (place.kind === 'typed')
    return [
      'Declare them in the .pg schema of the graph, then:',
      shellCommand('trellis', 'schema', 'apply', 'FILE', ...flags),
    ];
  const absorbed = new Map<string, string[]>();
  for (const { name, suggested } of labels)
    if (suggested !== undefined) absorbed.set(suggested, [...(absorbed.get(suggested) ?? []), name]);
  return [...absorbed].map(([label, names]) =>
    place.kind === 'elsewhere'
      ? `In ${place.name}, let ${label} absorb: ${names.join(', ')}`
      : shellCommand('trellis', 'gate', 'schema', 'add', label, '--absorbs', names.join(','), ...flags),
  );
}

function shellCommand(...all: readonly string[]): string {
  return all.map(shellQuote).join(' ');
}
