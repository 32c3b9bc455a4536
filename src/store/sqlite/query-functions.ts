import { isRecord } from '../../model/is-record.js';
import type { Json } from '../../model/json.js';
import { cosineDistance } from '../cosine-distance.js';
import type { SqlValue } from '../sql/executor.js';
import { exactNumberText } from '../sql/query/exact-number.js';
import { type TextPattern, textMatcher } from '../text/text-matcher.js';
import type { SqliteConnection } from './sqlite-connection.js';

/** Defines the JavaScript functions that queries call on rows. */
export function defineQueryFunctions(connection: SqliteConnection): void {
  // A JSON path cannot express every name.
  connection.defineFunction('json_member', (json = null, name = null) => {
    const value = parseJson(json);
    if (!isRecord(value)) return null;
    const member = Object.entries(value).find(([key]) => key === name);
    return member === undefined ? null : JSON.stringify(member[1]);
  });
  // Neither integers nor floats of SQLite hold all numbers of 64 bits.
  connection.defineFunction('exact_number', (json = null, mayBeDigits = null) =>
    exactNumberText(parseJson(json), mayBeDigits === 1),
  );
  connection.defineFunction(
    'edges_reached',
    (key = null, source = null, direction = null, min = null, max = null) =>
      connection.edges.reached(
        String(key),
        Number(source),
        direction === 'out' || direction === 'in' ? direction : 'both',
        Number(min),
        Number(max),
      ),
  );
  connection.defineFunction('edge_counts', (key = null, direction = null, nodes = null) =>
    connection.edges.counts(String(key), direction === 'out' ? 'out' : 'in', nodeList(nodes)),
  );
  connection.defineFunction('edges_lie_within', (key = null, direction = null, nodes = null) =>
    connection.edges.lieWithin(String(key), direction === 'out' ? 'out' : 'in', nodeList(nodes)) ? 1 : 0,
  );
  connection.defineFunction('text_test', (json = null, kind = null, text = null, edits = null) => {
    const value = parseJson(json);
    if (value === null) return null;
    return cachedMatcher(String(kind), String(text), edits)(value) ? 1 : 0;
  });
  connection.defineFunction('cosine_distance', (json = null, vector = null) => {
    const value = parseJson(json);
    const wanted = cachedVector(String(vector));
    return isVector(value) ? cosineDistance(value, wanted) : null;
  });
}

function parseJson(json: SqlValue): Json {
  return typeof json === 'string' ? JSON.parse(json) : null;
}

function nodeList(json: SqlValue): readonly number[] {
  const value = parseJson(json);
  return isVector(value) ? value : [];
}

function isVector(value: Json): value is readonly number[] {
  return Array.isArray(value) && value.every((member) => typeof member === 'number');
}

/** A statement calls the function with the same arguments for row after row. */
let lastMatcher: { readonly key: string; readonly test: (value: Json) => boolean } | undefined;

function cachedMatcher(kind: string, text: string, edits: SqlValue): (value: Json) => boolean {
  const key = `${kind} ${edits} ${text}`;
  if (lastMatcher?.key !== key) {
    const pattern: TextPattern = {
      kind: kind === 'match_text' || kind === 'fuzzy' ? kind : 'search',
      text,
      edits: edits === null ? null : Number(edits),
    };
    lastMatcher = { key, test: textMatcher(pattern) };
  }
  return lastMatcher.test;
}

let lastVector: { readonly json: string; readonly vector: readonly number[] } | undefined;

function cachedVector(json: string): readonly number[] {
  if (lastVector?.json !== json) {
    const value = parseJson(json);
    lastVector = { json, vector: isVector(value) ? value : [] };
  }
  return lastVector.vector;
}
