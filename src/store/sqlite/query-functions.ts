import { isRecord } from '../../model/is-record.js';
import type { Json } from '../../model/json.js';
import { cosineDistance } from '../cosine-distance.js';
import type { SqlValue } from '../sql/executor.js';
import { exactNumberText } from '../sql/query/exact-number.js';
import { type TextTest, textTest } from '../text/text-test.js';
import type { Connection } from './connection.js';

/** The JavaScript that queries call on rows. */
export function defineQueryFunctions(connection: Connection): void {
  // A path cannot say every name.
  connection.define('json_member', (json = null, name = null) => {
    const value = parsed(json);
    if (!isRecord(value)) return null;
    const member = Object.entries(value).find(([key]) => key === name);
    return member === undefined ? null : JSON.stringify(member[1]);
  });
  // Neither integers nor floats of SQLite hold all numbers of 64 bits.
  connection.define('exact_number', (json = null, mayBeDigits = null) =>
    exactNumberText(parsed(json), mayBeDigits === 1),
  );
  connection.define('text_test', (json = null, kind = null, text = null, edits = null) => {
    const value = parsed(json);
    if (value === null) return null;
    return rememberedTest(String(kind), String(text), edits)(value) ? 1 : 0;
  });
  connection.define('cosine_distance', (json = null, vector = null) => {
    const value = parsed(json);
    const wanted = rememberedVector(String(vector));
    return isVector(value) ? cosineDistance(value, wanted) : null;
  });
}

function parsed(json: SqlValue): Json {
  return typeof json === 'string' ? JSON.parse(json) : null;
}

function isVector(value: Json): value is readonly number[] {
  return Array.isArray(value) && value.every((member) => typeof member === 'number');
}

/** A statement asks the same of row after row. */
let lastTest: { readonly key: string; readonly test: (value: Json) => boolean } | undefined;

function rememberedTest(kind: string, text: string, edits: SqlValue): (value: Json) => boolean {
  const key = `${kind} ${edits} ${text}`;
  if (lastTest?.key !== key) {
    const wanted: TextTest = { kind: kindOf(kind), text, edits: edits === null ? null : Number(edits) };
    lastTest = { key, test: textTest(wanted) };
  }
  return lastTest.test;
}

function kindOf(kind: string): TextTest['kind'] {
  return kind === 'match_text' || kind === 'fuzzy' ? kind : 'search';
}

let lastVector: { readonly json: string; readonly vector: readonly number[] } | undefined;

function rememberedVector(json: string): readonly number[] {
  if (lastVector?.json !== json) {
    const value = parsed(json);
    lastVector = { json, vector: isVector(value) ? value : [] };
  }
  return lastVector.vector;
}
