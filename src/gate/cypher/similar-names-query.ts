import type { CypherQuery } from '../../cypher/cypher-connection.js';
import type { CypherDialect } from '../../cypher/cypher-dialect.js';
import type { Json } from '../../model/json.js';
import { compareText } from '../../model/order.js';
import type { Keys } from '../gate-target.js';

/** Enough to find a duplicate, few enough to be cheap. */
const maxCandidates = 200;
const lastCharacter = '\u{10FFFF}';

/** Nodes whose first text key begins like this one, in any case. */
export interface SimilarNames {
  /** The text key. */
  readonly key: string;
  /** Clauses that end with the candidates as `similar`; `ranges` is an expression for the parameter of that name. */
  clauses(ranges: string): string;
  readonly parameters: { readonly ranges: Json };
}

/** Undefined if no key is a text. */
export function similarNames({ quote }: CypherDialect, label: string, keys: Keys): SimilarNames | undefined {
  const [key] = Object.keys(keys)
    .filter((name) => typeof keys[name] === 'string')
    .sort(compareText);
  if (key === undefined) return undefined;
  // A single key is its own name; that of several needs all of them.
  const isSingle = Object.keys(keys).length === 1;
  return {
    key,
    // One range after the other: if they are joined with OR, Neo4j reads half of the index for each.
    // Candidates in one row: drivers take longer for a row than for its content.
    clauses: (ranges) => `UNWIND ${ranges} AS bounds
MATCH (n:${quote(label)}) WHERE n.${quote(key)} >= bounds[0] AND n.${quote(key)} <= bounds[1]
WITH DISTINCT n LIMIT ${maxCandidates}
WITH collect(${isSingle ? `n.${quote(key)}` : 'properties(n)'}) AS similar`,
    parameters: {
      ranges: prefixesOf(String(keys[key])).map((prefix) => [prefix, `${prefix}${lastCharacter}`]),
    },
  };
}

export function similarNamesQuery({ clauses, parameters }: SimilarNames): CypherQuery {
  return { text: `${clauses('$ranges')}\nRETURN similar`, parameters };
}

/** Longer ones first: where many names begin alike, they find the nearest. */
function prefixesOf(name: string): readonly string[] {
  const characters = [...name];
  const lengths = [Math.ceil(characters.length / 2), characters.length < 5 ? 1 : 2];
  return [...new Set(lengths.flatMap((length) => casesOf(characters.slice(0, length))))];
}

function casesOf(prefix: readonly string[]): readonly string[] {
  const [first = '', ...rest] = prefix;
  const text = prefix.join('');
  return [text, text.toLowerCase(), text.toUpperCase(), first.toUpperCase() + rest.join('').toLowerCase()];
}
