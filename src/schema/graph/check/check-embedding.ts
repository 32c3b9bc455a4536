import type { Diagnostics } from '../../../language/diagnostics.js';
import type { DeclaredProperty } from './check-properties.js';

/** That what `@embed` fills is a vector, and what it is filled from a text of the same node. */
export function checkEmbedding(
  properties: ReadonlyMap<string, DeclaredProperty>,
  findings: Diagnostics,
): void {
  for (const { property, embedAt } of properties.values()) {
    if (embedAt === undefined || property.embedFrom === null) continue;
    if (property.type.kind !== 'vector')
      findings.add(embedAt, 'bad_embed', `@embed fills a Vector, and ${property.name} is none.`);
    const from = properties.get(property.embedFrom)?.property;
    if (from === undefined) {
      findings.add(embedAt, 'unknown_property', `There is no property ${property.embedFrom} to embed.`, {
        meant: property.embedFrom,
        among: properties.keys(),
      });
    } else if (from.type.kind !== 'scalar' || from.type.scalar !== 'String') {
      findings.add(embedAt, 'bad_embed', `@embed takes a String property, and ${from.name} is none.`, {
        expected: ['String'],
      });
    }
  }
}
