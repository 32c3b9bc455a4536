import { TrellisError } from '../../../model/error.js';
import type { Json } from '../../../model/json.js';
import { queryLimits } from '../../../model/limits.js';
import { Turns } from '../../../model/turns.js';
import type { PropertyOperand, RowQuery, Score, TextCondition } from '../../row-query.js';
import { Bm25, rarity } from '../../text/bm25.js';
import { stemmed } from '../../text/stemmed.js';
import { textTest } from '../../text/text-test.js';
import { stems, words } from '../../text/words.js';
import type { Dialect } from '../dialect.js';
import type { Executor, Fragment } from '../executor.js';
import { type Lineage, visible } from '../lineage.js';
import { integer, text } from '../rows.js';
import { searchedJson } from './conditions.js';
import { type Findings, Scope } from './scope.js';
import { all, bind, raw, sql } from './sql.js';
import { allVariables, blocksOf, textConditionsIn, type Variables } from './variables.js';

/** Rows whose texts are held in memory at a time. */
const rowsAtOnce = 2_000;
const nothing: Findings = { texts: new Map(), scores: new Map() };

/** Finds out what is better known beforehand: who has the words that an index finds, or that a database cannot cut, and BM25. */
export async function findBeforehand(
  executor: Executor,
  dialect: Dialect,
  lineage: Lineage,
  query: RowQuery,
): Promise<Findings> {
  const conditions = textConditions(query);
  const scored = [...scoresOf(query)];
  if (conditions.length === 0 && scored.length === 0) return nothing;
  const variables = allVariables(query);
  const reading: Reading = { executor, dialect, lineage, variables };
  const texts = new Map<TextCondition, readonly number[]>();
  for (const condition of conditions) {
    const rows = await proposedRows(reading, condition);
    // What a database can tell of a row, it is better asked as it comes to it.
    if (rows === undefined && dialect.query.textTest(raw(''), condition) !== null) continue;
    texts.set(condition, await rowsWithWords(reading, condition, rows));
  }
  const scores = new Map<Score, ReadonlyMap<number, number>>();
  for (const score of scored) scores.set(score, await scoreRows(reading, score.operand, score.text));
  return { texts, scores };
}

interface Reading {
  readonly executor: Executor;
  readonly dialect: Dialect;
  readonly lineage: Lineage;
  readonly variables: Variables;
}

function textConditions(query: RowQuery): TextCondition[] {
  const found: TextCondition[] = [];
  for (const { conditions } of blocksOf(query.match)) textConditionsIn(conditions, found);
  for (const { expression } of [...query.columns, ...query.order])
    if (expression.kind === 'condition') found.push(expression.condition);
  return found;
}

type Bm25Score = Extract<Score, { kind: 'bm25' }>;

function scoresOf(query: RowQuery): Set<Bm25Score> {
  const found = new Set<Bm25Score>();
  const add = (score: Score) => {
    if (score.kind === 'bm25') found.add(score);
    else if (score.kind === 'rrf') for (const arm of score.arms) add(arm);
  };
  for (const { expression } of [...query.columns, ...query.order]) {
    if (expression.kind === 'bm25' || expression.kind === 'rrf') add(expression);
  }
  return found;
}

/** Rows that the text index proposes beyond which looking at all of them is as good. */
const mostProposed = 10_000;

/**
 * The rows that may have the words, by the text index; undefined where it cannot tell. The index is of whole nodes as they
 * are shown, so it proposes too many, and knows nothing of a property that is not shown: marks, and the keys of some nodes.
 */
async function proposedRows(
  { executor, dialect, lineage, variables }: Reading,
  { kind, operand, text: wanted }: TextCondition,
): Promise<readonly number[] | undefined> {
  const { of, place, property, type, variable } = operand;
  const isText = place === 'row' ? property !== 'tags' && property !== 'observations' : isString(type);
  const stemsWanted = [...new Set(stems(wanted))];
  const isShown = place === 'row' || !property.startsWith('_');
  if (kind === 'fuzzy' || of === 'edge' || !isText || !isShown || stemsWanted.length === 0) return undefined;
  const types = variables.nodes.get(variable)?.types ?? null;
  const where = [raw('r.stub = 0')];
  if (types !== null) where.push(dialect.inList('r.type', 'text', types));
  const proposed = await dialect.text.rowsWithStems(executor, lineage, {
    ...{ table: 'node_row', columns: 'r.row as found' },
    ...{ stems: stemsWanted, match: 'all' },
    ...{ where: all(where), limit: mostProposed + 1 },
  });
  if (proposed.length > mostProposed) return undefined;
  const rows = proposed.map((row) => integer(row, 'found'));
  if (place === 'row') return rows;
  const seen = visible('node_row', 'r', lineage);
  const { sql: statement, params } = sql`select r.row as found from node_row r
    where (${seen}) and ${all(where)} and r.provenance like '%merge_keys%'`;
  const keyed = await executor.all(statement, params, { adHoc: true });
  return [...new Set([...rows, ...keyed.map((row) => integer(row, 'found'))])];
}

function isString(type: PropertyOperand['type']): boolean {
  return type?.kind === 'scalar' && type.scalar === 'String';
}

async function rowsWithWords(
  reading: Reading,
  condition: TextCondition,
  proposed: readonly number[] | undefined,
): Promise<number[]> {
  const test = textTest(condition);
  const [rare] = condition.kind === 'fuzzy' ? [] : words(condition.text).filter(isAscii).sort(byLength);
  const found: number[] = [];
  const also = (json: Fragment, alias: string) =>
    proposed !== undefined
      ? reading.dialect.inList(`${alias}.row`, 'integer', proposed)
      : rare === undefined
        ? raw('true')
        : reading.dialect.query.mayHaveWord(json, rare);
  for await (const { row, value } of valuesOf(reading, condition.operand, also)) {
    if (!test(value)) continue;
    found.push(row);
    if (found.length > queryLimits.textRows) throw tooManyTexts();
  }
  return found;
}

function isAscii(word: string): boolean {
  return /^[a-z0-9]+$/.test(word);
}

function byLength(a: string, b: string): number {
  return b.length - a.length;
}

function tooManyTexts(): TrellisError {
  return new TrellisError(
    'LIMIT_EXCEEDED',
    `More than ${queryLimits.textRows} rows have the words of a search.`,
    {
      hint: 'Search for rarer words.',
      details: { limit: queryLimits.textRows },
    },
  );
}

/** The usual figures. */
const settings = { saturation: 1.2, lengthWeight: 0.75 };

/** How well each row with one of the words fits, by how rare those are among all rows of the variable. */
async function scoreRows(
  reading: Reading,
  operand: PropertyOperand,
  query: string,
): Promise<Map<number, number>> {
  const wanted = [...new Set(stemmed(query))];
  const places = new Map(wanted.map((stem, place) => [stem, place]));
  const frequencies = new Array<number>(wanted.length).fill(0);
  const matches: { readonly row: number; readonly times: number[]; readonly length: number }[] = [];
  let texts = 0;
  let totalLength = 0;
  for await (const { row, value } of valuesOf(reading, operand, () => raw('true'))) {
    const found = stemsIn(value);
    texts += 1;
    totalLength += found.length;
    const times = new Array<number>(wanted.length).fill(0);
    for (const stem of found) {
      const place = places.get(stem);
      if (place !== undefined) times[place] = (times[place] ?? 0) + 1;
    }
    if (times.every((count) => count === 0)) continue;
    for (const [place, count] of times.entries())
      if (count > 0) frequencies[place] = (frequencies[place] ?? 0) + 1;
    matches.push({ row, times, length: found.length });
    if (matches.length > queryLimits.textRows) throw tooManyTexts();
  }
  const weights = frequencies.map((frequency) => rarity(frequency, texts));
  const bm25 = new Bm25(weights, texts === 0 ? 1 : totalLength / texts, settings);
  return new Map(matches.map(({ row, times, length }) => [row, bm25.score({ times, length })]));
}

function stemsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return stemmed(value);
  return Array.isArray(value)
    ? value.flatMap((member) => (typeof member === 'string' ? stemmed(member) : []))
    : [];
}

/** What the rows of a variable hold of a property, a portion at a time. */
async function* valuesOf(
  { executor, dialect, lineage, variables }: Reading,
  operand: PropertyOperand,
  also: (json: Fragment, alias: string) => Fragment,
): AsyncGenerator<{ readonly row: number; readonly value: Json }> {
  const scope = new Scope(lineage, dialect, nothing);
  const alias = scope.alias(operand.variable);
  const json = searchedJson(scope, operand);
  const table = operand.of === 'edge' ? 'edge_row' : 'node_row';
  const where = [scope.seen(table, alias), sql`${json} is not null`, also(json, alias)];
  const types = variables.nodes.get(operand.variable)?.types ?? null;
  const edge = variables.edges.get(operand.variable);
  if (table === 'node_row') where.push(raw(`${alias}.stub = 0`));
  if (types !== null) where.push(dialect.inList(`${alias}.type`, 'text', types));
  if (edge !== undefined) where.push(sql`${alias}.type = ${bind(edge.edge)}`);
  const turns = new Turns();
  for (let after = 0; ; ) {
    const { sql: statement, params } =
      sql`select ${alias}.row as found, ${json} as json from ${table} ${alias}
      where ${all(where)} and ${alias}.row > ${bind(after)} order by ${alias}.row limit ${String(rowsAtOnce)}`;
    const rows = await executor.all(statement, params, { adHoc: true });
    for (const row of rows) {
      // What is done with a value is done here, however long it takes: a statement lets others have a turn, or ends it all.
      if (turns.due) {
        await turns.give();
        await executor.all('select 1 as here');
      }
      yield { row: integer(row, 'found'), value: JSON.parse(text(row, 'json')) };
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsAtOnce) return;
    after = integer(last, 'found');
  }
}
