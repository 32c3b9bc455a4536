import type { CypherQuery } from '../../cypher/cypher-connection.js';
import type { CypherDialect } from '../../cypher/cypher-dialect.js';
import type { SourceLabel } from '../gate-target.js';

/** The nodes that have one of these texts as the key of their label; undefined if there is no label. */
export function sourceQuery(
  { quote }: CypherDialect,
  references: readonly string[],
  labels: readonly SourceLabel[],
): CypherQuery | undefined {
  if (labels.length === 0) return undefined;
  const names = references.flatMap((reference) => [
    reference,
    ...labels
      .filter(({ label }) => unqualified(reference, label) !== undefined)
      .map(({ label }) => unqualified(reference, label) ?? ''),
  ]);
  return {
    text: labels
      .map(
        ({ label, key }, index) =>
          `MATCH (n:${quote(label)}) WHERE n.${quote(key)} IN $names RETURN $label${index} AS label, n.${quote(key)} AS name, properties(n) AS properties`,
      )
      .join(' UNION ALL '),
    parameters: {
      names: [...new Set(names)],
      ...Object.fromEntries(labels.map(({ label }, index) => [`label${index}`, label])),
    },
  };
}

/** The name in `Label:name`. */
export function unqualified(reference: string, label: string): string | undefined {
  const text = reference.startsWith(':') ? reference.slice(1) : reference;
  return text.startsWith(`${label}:`) ? text.slice(label.length + 1) : undefined;
}
