import type { PropertyOperand, RowQueryBlock, Score, TextCondition, ValueOperand } from '../../row-query.js';
import type { Dialect } from '../dialect.js';
import type { Fragment } from '../executor.js';
import { type Lineage, visible } from '../lineage.js';
import { joinSql, raw, sql } from '../sql.js';
import { bindValues, type GivenValue, type ParameterValue, type QueryFragment } from './parameter-slots.js';
import type { JsonSource, QueryDialect } from './query-dialect.js';
import type { RowScores } from './texts/row-scores.js';

export interface PrecomputedMatches {
  readonly texts: ReadonlyMap<TextCondition, readonly number[]>;
  readonly scores: ReadonlyMap<Score, RowScores>;
}

export const noMatches: PrecomputedMatches = { texts: new Map(), scores: new Map() };

export interface QueryParameters {
  readonly values: readonly ParameterValue[];
  readonly operands: ReadonlyMap<ValueOperand, number>;
}

/** Blocks inside conditions, as SQL that refers to the rows around them. */
export interface InnerBlocks {
  /** Whether a block matches. */
  exists(block: RowQueryBlock): QueryFragment;
  /** A select from the matches of a block; in `answer` and `tail`, `q.a0`, `q.a1` … are what `columns` are of each. */
  select(
    block: RowQueryBlock,
    columns: readonly QueryFragment[],
    answer: QueryFragment,
    tail?: QueryFragment,
  ): QueryFragment;
}

/** Matches that were grouped before their rows are selected. */
export interface RowGroups {
  readonly count: QueryFragment;
  /** An aggregate over the matches of a row. */
  aggregate(of: QueryFragment): QueryFragment;
}

const noEdges: ReadonlyMap<string, string> = new Map();
const noParameters: QueryParameters = { values: [], operands: new Map() };

/** What the pieces of a query share: where it reads, and the SQL names of its variables. */
export class SqlScope {
  readonly lineage: Lineage;
  readonly dialect: Dialect;
  readonly matches: PrecomputedMatches;
  /** The types of edges that are in memory, and what they are called there. */
  readonly edgesInMemory: ReadonlyMap<string, string>;
  readonly #parameters: QueryParameters;
  readonly #aliases = new Map<string, string>();
  readonly #scoreTables = new Map<Score, string>();
  #blocks: InnerBlocks | undefined;
  /** Whether the SQL depends on the values of this call other than through slots. */
  isSingleUse: boolean;
  /** The matches that each row stands for; null: one. */
  rowGroups: RowGroups | null = null;
  #names = 0;

  constructor(
    lineage: Lineage,
    dialect: Dialect,
    matches: PrecomputedMatches = noMatches,
    parameters: QueryParameters = noParameters,
    edgesInMemory: ReadonlyMap<string, string> = noEdges,
  ) {
    this.lineage = lineage;
    this.dialect = dialect;
    this.matches = matches;
    this.isSingleUse = matches.texts.size + matches.scores.size > 0;
    this.#parameters = parameters;
    this.edgesInMemory = edgesInMemory;
  }

  get queryDialect(): QueryDialect {
    return this.dialect.queryDialect;
  }

  /** Callers choose variable ids, so SQL never contains them. */
  alias(variable: string): string {
    const known = this.#aliases.get(variable);
    if (known !== undefined) return known;
    const alias = this.uniqueName('v');
    this.#aliases.set(variable, alias);
    return alias;
  }

  given(operand: ValueOperand): GivenValue {
    return { value: operand.value, parameter: this.#parameters.operands.get(operand) };
  }

  /** The SQL with the values of this call, to run while the query is compiled. */
  bind(fragment: QueryFragment): Fragment {
    return bindValues(fragment, this.#parameters.values);
  }

  /** Who compiles the blocks inside conditions. */
  set blocks(blocks: InnerBlocks) {
    this.#blocks = blocks;
  }

  get blocks(): InnerBlocks {
    if (this.#blocks === undefined) throw new TypeError('Nothing compiles inner blocks.');
    return this.#blocks;
  }

  uniqueName(prefix: string): string {
    this.#names += 1;
    return `${prefix}${this.#names}`;
  }

  /** The table with the ranks of a score; the select joins it to the row. */
  scoreTable(score: Score): string {
    const known = this.#scoreTables.get(score);
    if (known !== undefined) return known;
    const table = this.uniqueName('b');
    this.#scoreTables.set(score, table);
    return table;
  }

  get scoreTables(): ReadonlyMap<Score, string> {
    return this.#scoreTables;
  }

  visible(table: 'node_row' | 'edge_row' | 'observation_row', alias: string): Fragment {
    return visible(table, alias, this.lineage);
  }

  /** A text, compared by code point. */
  text(expression: string): QueryFragment {
    return raw(`${expression}${this.queryDialect.byCodePoint}`);
  }

  observations(node: string): QueryFragment {
    const alias = this.uniqueName('o');
    const seen = this.visible('observation_row', alias);
    return this.queryDialect.textList(
      sql`select ${raw(alias)}.text from observation_row ${raw(alias)} where ${raw(alias)}.node = ${raw(node)}.node and (${seen}) order by ${raw(alias)}.ordinal`,
    );
  }
}

export type OperandSource =
  | { readonly kind: 'text'; readonly text: QueryFragment; readonly nullable: boolean }
  | { readonly kind: 'json'; readonly source: JsonSource };

export function operandSource(
  scope: SqlScope,
  { variable, of, property, place, type }: PropertyOperand,
): OperandSource {
  const alias = scope.alias(variable);
  const member = (column: string) => scope.queryDialect.member(`${alias}.${column}`, property);
  if (place === 'props') return { kind: 'json', source: member('props') };
  if (place === 'provenance') {
    const stamp = member('provenance');
    if (type !== null) return { kind: 'json', source: stamp };
    const either = sql`coalesce(${stamp.json}, ${member('props').json})`;
    return { kind: 'json', source: scope.queryDialect.document(either) };
  }
  const text = (column: string, nullable = false): OperandSource => ({
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
      case 'id':
        return {
          ...{ kind: 'text', nullable: false },
          text: sql`(case when ${raw(alias)}.key <> '' then ${raw(alias)}.key else ${endList(scope, alias, ['from_name', 'to_name'])} end)`,
        };
      case 'identity':
        return {
          kind: 'text',
          nullable: false,
          text: endList(scope, alias, ['from_name', 'to_name', 'key']),
        };
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
        source: scope.queryDialect.document(sql`coalesce(${raw(alias)}.tags, '[]')`),
      };
    case 'observations':
      return { kind: 'json', source: scope.queryDialect.document(scope.observations(alias)) };
    default:
      throw new TypeError(`A node has no ${property}.`);
  }
}

/** The ids of its nodes, and its key if the schema declares one, as a JSON list. */
function endList({ queryDialect }: SqlScope, alias: string, columns: readonly string[]): QueryFragment {
  const members = columns.map((column) => queryDialect.quoted(raw(`${alias}.${column}`)));
  return sql`('[' || ${joinSql(members, " || ',' || ")} || ']')`;
}
