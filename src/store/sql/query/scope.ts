import type { PropertyOperand, Score, TextCondition } from '../../row-query.js';
import type { Dialect } from '../dialect.js';
import type { Fragment } from '../executor.js';
import { type Lineage, visible } from '../lineage.js';
import type { JsonSource, QueryDialect } from './query-dialect.js';
import { raw, sql } from './sql.js';

/** What was found out about rows before the query itself is run. */
export interface Findings {
  /** The rows that have the words. */
  readonly texts: ReadonlyMap<TextCondition, readonly number[]>;
  /** How well rows fit, by row; those that are not there do not fit at all. */
  readonly scores: ReadonlyMap<Score, ReadonlyMap<number, number>>;
}

/** What the pieces of a query share: where it reads, and what its variables are called in SQL. */
export class Scope {
  readonly lineage: Lineage;
  readonly dialect: Dialect;
  readonly findings: Findings;
  readonly #aliases = new Map<string, string>();
  readonly #scoreTables = new Map<Score, string>();
  #names = 0;

  constructor(lineage: Lineage, dialect: Dialect, findings: Findings) {
    this.lineage = lineage;
    this.dialect = dialect;
    this.findings = findings;
  }

  get json(): QueryDialect {
    return this.dialect.query;
  }

  /** The row of a variable. Ids are the asker's, so SQL never sees them. */
  alias(variable: string): string {
    const known = this.#aliases.get(variable);
    if (known !== undefined) return known;
    const alias = this.fresh('v');
    this.#aliases.set(variable, alias);
    return alias;
  }

  /** A name that nothing else in the query has. */
  fresh(prefix: string): string {
    this.#names += 1;
    return `${prefix}${this.#names}`;
  }

  /** The table of the rows that a score is known of; whoever puts the query together joins it to the row. */
  scoreTable(score: Score): string {
    const known = this.#scoreTables.get(score);
    if (known !== undefined) return known;
    const table = this.fresh('b');
    this.#scoreTables.set(score, table);
    return table;
  }

  get scoreTables(): ReadonlyMap<Score, string> {
    return this.#scoreTables;
  }

  seen(table: 'node_row' | 'edge_row' | 'observation_row', alias: string): Fragment {
    return visible(table, alias, this.lineage);
  }

  /** A text, compared by code point. */
  text(expression: string): Fragment {
    return raw(`${expression}${this.json.byCodePoint}`);
  }

  /** The texts of a node's observations, in their order, as JSON. */
  observations(node: string): Fragment {
    const alias = this.fresh('o');
    const seen = this.seen('observation_row', alias);
    return this.json.textList(
      sql`select ${alias}.text from observation_row ${alias} where ${alias}.node = ${node}.node and (${seen}) order by ${alias}.ordinal`,
    );
  }
}

/** Where a property stands. */
export type Place =
  | { readonly kind: 'text'; readonly text: Fragment; readonly nullable: boolean }
  | { readonly kind: 'json'; readonly source: JsonSource };

/** What a property reads. */
export function placeOf(scope: Scope, { variable, of, property, place, type }: PropertyOperand): Place {
  const alias = scope.alias(variable);
  const member = (column: string) => scope.json.member(`${alias}.${column}`, property);
  if (place === 'props') return { kind: 'json', source: member('props') };
  if (place === 'provenance') {
    const stamp = member('provenance');
    if (type !== null) return { kind: 'json', source: stamp };
    const either = sql`coalesce(${stamp.json}, ${member('props').json})`;
    return { kind: 'json', source: scope.json.document(either) };
  }
  const text = (column: string, nullable = false): Place => ({
    kind: 'text',
    text: raw(`${alias}.${column}`),
    nullable,
  });
  if (of === 'edge') {
    switch (property) {
      case 'from':
      case 'to':
        return text(`${property}_name`);
      case 'key':
        return text('key');
      default:
        throw new TypeError(`An edge has no ${property}.`);
    }
  }
  switch (property) {
    case 'id':
    case 'name':
      return text('name');
    case 'summary':
      return text('summary', true);
    case 'tags':
      return {
        kind: 'json',
        source: scope.json.document(sql`coalesce(${alias}.tags, '[]')`),
      };
    case 'observations':
      return { kind: 'json', source: scope.json.document(scope.observations(alias)) };
    default:
      throw new TypeError(`A node has no ${property}.`);
  }
}
