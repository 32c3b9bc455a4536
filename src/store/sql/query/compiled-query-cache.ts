import { randomInt, randomUUID } from 'node:crypto';
import { LruCache } from '../../../bounds/lru-cache.js';
import type { RowQuery } from '../../row-query.js';
import type { SqlParam } from '../executor.js';
import type { Lineage } from '../lineage.js';
import { propertyHash } from '../properties/node-properties.js';
import { sortableText } from '../properties/sortable-text.js';
import { comparedProperties, type ParameterValue, shapeOf, withValues } from './query-shape.js';
import type { SelectSql } from './select-sql.js';

/** Shapes that are remembered. */
const maxCachedQueries = 200;
/** A longer one, such as one with a vector, is not likely to come again. */
const maxKeyLength = 8_192;
/** After so many milliseconds it is decided anew where to start, since a graph grows and may get an index. */
const cacheMs = 60_000;

/** A statement whose parameters are partly made of the values of a call. */
interface CompiledQuery {
  readonly select: SelectSql;
  readonly slots: readonly ParameterSlot[];
  readonly since: number;
}

interface ParameterSlot {
  /** The place among the parameters. */
  readonly at: number;
  /** The place among the values. */
  readonly value: number;
  make(value: ParameterValue): SqlParam;
}

/**
 * Queries of one database that were put into SQL before, so that a query of the same shape need only be given its values.
 * A shape is put together twice, with the values of a call and with others. It is kept if the SQL is the same both times,
 * every parameter that differs is one of the values or what it is looked up by, and every value is found among them: one
 * that is not has decided something, as the larger of two bounds does.
 */
export class CompiledQueryCache {
  readonly #kept = new LruCache<CompiledQuery | 'seen' | 'never'>(maxCachedQueries);
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** The statement of a query, by `compile` unless it is known. */
  async select(
    query: RowQuery,
    { graph, levels }: Lineage,
    limit: number,
    compile: (query: RowQuery) => Promise<SelectSql>,
  ): Promise<SelectSql> {
    const shape = shapeOf(query);
    let key = `${shape.key} ${limit} ${graph}`;
    for (const { branch, atHead, seq } of levels) key += ` ${branch}:${atHead ? 'head' : seq}`;
    if (key.length > maxKeyLength) return compile(query);
    const known = this.#kept.get(key) ?? 'unknown';
    if (typeof known === 'object' && this.#now() - known.since < cacheMs)
      return fillSlots(known, shape.values);
    const select = await compile(query);
    // What came once may never come again; what comes twice is worth it.
    if (known === 'unknown') this.#kept.set(key, 'seen');
    else if (known !== 'never')
      this.#kept.set(key, (await this.#opened(query, shape.values, select, compile)) ?? 'never');
    return select;
  }

  async #opened(
    query: RowQuery,
    given: readonly ParameterValue[],
    select: SelectSql,
    compile: (query: RowQuery) => Promise<SelectSql>,
  ): Promise<CompiledQuery | null> {
    const others = given.map((value, index) =>
      typeof value === 'string' ? `${marker} ${index}` : markerNumber + index,
    );
    if (select.isSingleUse) return null;
    const other = await compile(withValues(query, others));
    if (other.isSingleUse || other.statement.sql !== select.statement.sql) return null;
    const made = slotCandidates(query, given, others);
    const holes: ParameterSlot[] = [];
    for (const [at, param] of select.statement.params.entries()) {
      const changed = other.statement.params[at];
      if (changed === undefined) return null;
      if (isSameParam(param, changed)) continue;
      const from = made.find((each) => isSameParam(each.other, changed) && isSameParam(each.own, param));
      if (from === undefined) return null;
      holes.push({ at, value: from.value, make: from.make });
    }
    const used = new Set(holes.map(({ value }) => value));
    return used.size === given.length ? { select, slots: holes, since: this.#now() } : null;
  }
}

/** Values that hardly anybody gives; if somebody does, the query is not kept. */
const marker = randomUUID();
const markerNumber = randomInt(1_000_000_000, 2_000_000_000);

type MakeParameter = ParameterSlot['make'];

/** A parameter that a value may have become, and what another value in its place becomes. */
interface SlotCandidate {
  /** The place among the values. */
  readonly value: number;
  readonly make: MakeParameter;
  readonly own: SqlParam;
  readonly other: SqlParam;
}

function slotCandidates(
  query: RowQuery,
  given: readonly ParameterValue[],
  others: readonly ParameterValue[],
): SlotCandidate[] {
  const makers = parameterMakers(query);
  return others.flatMap((other, value) =>
    makers.map((make) => ({ value, make, own: make(given[value] ?? ''), other: make(other) })),
  );
}

/** All that a value may become as a parameter. */
function parameterMakers(query: RowQuery): MakeParameter[] {
  const hashes = comparedProperties(query).map(
    ({ type, property }): MakeParameter =>
      (value) =>
        propertyHash(type, property, value),
  );
  return [
    (value) => value,
    (value) => String(value),
    (value) => sortableText(value, 'number'),
    (value) => sortableText(value, 'i64'),
    (value) => sortableText(value, 'u64'),
    ...hashes,
  ];
}

function isSameParam(a: SqlParam, b: SqlParam): boolean {
  return a === b || (Array.isArray(a) && JSON.stringify(a) === JSON.stringify(b));
}

function fillSlots({ select, slots }: CompiledQuery, given: readonly ParameterValue[]): SelectSql {
  const params = [...select.statement.params];
  for (const { at, value, make } of slots) params[at] = make(given[value] ?? '');
  return { ...select, statement: { sql: select.statement.sql, params } };
}
