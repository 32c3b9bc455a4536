import type { CypherQuery } from '../../cypher/cypher-connection.js';
import type { CypherDialect } from '../../cypher/cypher-dialect.js';
import { compareText } from '../../model/order.js';
import type { Keys } from '../gate-target.js';

/** Enough to find a duplicate, few enough to be cheap. */
const maxCandidates = 200;
const lastCharacter = '\u{10FFFF}';

/** Nodes whose first text key begins like this one, in any case: an index finds ranges of text. */
export function similarNamesQuery(
  { quote }: CypherDialect,
  label: string,
  keys: Keys,
): (CypherQuery & { readonly key: string }) | undefined {
  const [key] = Object.keys(keys)
    .filter((name) => typeof keys[name] === 'string')
    .sort(compareText);
  if (key === undefined) return undefined;
  // A single key is its own name; that of several needs all of them.
  const isSingle = Object.keys(keys).length === 1;
  const found = isSingle ? `n.${quote(key)}` : 'properties(n)';
  const prefixes = prefixesOf(String(keys[key]));
  const ranges = prefixes.map(
    (_, index) => `(n.${quote(key)} >= $low${index} AND n.${quote(key)} <= $high${index})`,
  );
  return {
    key,
    // In one row: drivers take longer for each than for its content.
    text: `MATCH (n:${quote(label)}) WHERE ${ranges.join(' OR ')}
WITH ${found} AS one LIMIT ${maxCandidates}
RETURN 'similar' AS kind, null AS id, null AS properties, collect(one) AS value`,
    parameters: Object.fromEntries(
      prefixes.flatMap((prefix, index) => [
        [`low${index}`, prefix],
        [`high${index}`, `${prefix}${lastCharacter}`],
      ]),
    ),
  };
}

function prefixesOf(name: string): readonly string[] {
  const characters = [...name];
  const prefix = characters.slice(0, characters.length < 5 ? 1 : 2).join('');
  const [first = '', ...rest] = prefix;
  const lower = prefix.toLowerCase();
  return [
    ...new Set([prefix, lower, prefix.toUpperCase(), first.toUpperCase() + rest.join('').toLowerCase()]),
  ];
}
