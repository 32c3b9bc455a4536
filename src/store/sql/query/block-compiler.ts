import type { Condition, Hop, NodeVariable, RowQueryBlock } from '../../row-query.js';
import { and, emptySql, joinSql, raw, sql } from '../sql.js';
import { aliased } from './aliased.js';
import { conditionSql } from './condition-sql.js';
import { edgeSql, effectiveDirection, reachSql } from './hop-sql.js';
import type { QueryFragment } from './parameter-slots.js';
import { accessPathSql, type JoinSql, nodeRowSql } from './plan/access-path-sql.js';
import type { EdgePassStep } from './plan/describe-step.js';
import { type PlanStep, planBlock, type Start } from './plan/plan-block.js';
import { conjuncts, outerVariables, variablesOf } from './query-variables.js';
import type { InnerBlocks, SqlScope } from './sql-scope.js';

export interface BlockSql {
  readonly ctes: readonly QueryFragment[];
  readonly items: readonly QueryFragment[];
  readonly where: QueryFragment;
  /** A select of the steps of the first hop that may take several; null if SQL follows none. */
  readonly walk: QueryFragment | null;
}

export type StepListener = (step: PlanStep | EdgePassStep, inner: boolean) => void;

/** Where a block occurs. An inner block that is only tested has to match once. */
interface BlockPlace {
  readonly outer: ReadonlySet<string>;
  readonly role: 'outermost' | 'selected' | 'tested';
}

const outermost: BlockPlace = { outer: new Set(), role: 'outermost' };

/** Turns blocks into SQL: joins in the order of the plan, one row for each match. */
export class BlockCompiler implements InnerBlocks {
  readonly #scope: SqlScope;
  readonly #starts: ReadonlyMap<string, Start>;
  readonly #note: StepListener;

  constructor(scope: SqlScope, starts: ReadonlyMap<string, Start>, note: StepListener = () => {}) {
    this.#scope = scope;
    this.#starts = starts;
    this.#note = note;
    scope.blocks = this;
  }

  compile(block: RowQueryBlock, place = outermost): BlockSql {
    const steps = planBlock(block, place.outer, this.#starts);
    for (const step of steps) this.#note(step, place.role !== 'outermost');
    const settled = new Set(
      steps.flatMap((step) =>
        step.kind === 'start' && step.access.kind === 'range' ? step.access.settles : [],
      ),
    );
    const open =
      settled.size === 0
        ? block.conditions
        : conjuncts(block.conditions).filter((condition) => !settled.has(condition));
    const writing = new BlockBuilder(this.#scope, place, open);
    for (const step of steps) {
      if (step.kind === 'start')
        writing.start(step.variable, accessPathSql(this.#scope, step.variable, step.access));
      else writing.hop(step.hop, step.reversed, step.finds);
    }
    return writing.done();
  }

  exists(block: RowQueryBlock): QueryFragment {
    const { ctes, items, where } = this.#inner(block, 'tested');
    return sql`exists (${ctes}select 1 ${items} where ${where})`;
  }

  select(
    block: RowQueryBlock,
    columns: readonly QueryFragment[],
    answer: QueryFragment,
    tail: QueryFragment = emptySql,
  ): QueryFragment {
    const { ctes, items, where } = this.#inner(block, 'selected');
    const list = columns.length === 0 ? raw('1 as a0') : aliased(columns, 'a');
    // An inner select of its own: an aggregate of nothing but outer columns would belong to the outer query.
    const fence = raw(this.#scope.queryDialect.optimizationFence);
    return sql`(${ctes}select ${answer} from (select ${list} ${items} where ${where}${fence}) q${tail})`;
  }

  #inner(block: RowQueryBlock, role: 'selected' | 'tested') {
    const { ctes, items, where } = this.compile(block, { outer: outerVariables(block), role });
    return {
      ctes: ctes.length === 0 ? emptySql : sql`with recursive ${joinSql(ctes, ', ')} `,
      items: items.length === 0 ? emptySql : sql`from ${joinSql(items, ' cross join ')}`,
      where,
    };
  }
}

interface BoundRow {
  readonly id: string;
  readonly table: 'node_row' | 'edge_row';
}

class BlockBuilder {
  readonly #scope: SqlScope;
  readonly #place: BlockPlace;
  readonly #ctes: QueryFragment[] = [];
  readonly #found: BoundRow[] = [];
  #items: QueryFragment[] = [];
  #where: QueryFragment[] = [];
  #pending: readonly Condition[];
  #walk: QueryFragment | null = null;

  constructor(scope: SqlScope, place: BlockPlace, conditions: readonly Condition[]) {
    this.#scope = scope;
    this.#place = place;
    this.#pending = conditions;
  }

  start(variable: NodeVariable, rows: JoinSql): void {
    this.#join(rows);
    this.#found.push({ id: variable.id, table: 'node_row' });
  }

  hop(hop: Hop, reversed: boolean, finds: NodeVariable | null): void {
    if (hop.variable !== null || (hop.min === 1 && hop.max === 1)) this.#single(hop, reversed, finds);
    else this.#several(hop, reversed, finds);
  }

  done(): BlockSql {
    this.#settle(true);
    return { ctes: this.#ctes, items: this.#items, where: and(this.#where), walk: this.#walk };
  }

  #single(hop: Hop, reversed: boolean, finds: NodeVariable | null): void {
    const edge = hop.variable === null ? this.#scope.uniqueName('e') : this.#scope.alias(hop.variable);
    const [near, far] = this.#ends(hop, reversed);
    const step = edgeSql(this.#scope, hop, reversed, { edge, near: `${near}.node`, far: `${far}.node` });
    if (finds === null && hop.variable === null) {
      this.#where.push(
        sql`exists (select 1 from edge_row ${raw(edge)} where ${step.leads})${raw(this.#scope.dialect.existsSuffix)}`,
      );
      return;
    }
    this.#join({ items: [raw(`edge_row ${edge}`)], where: [step.leads] });
    if (hop.variable !== null) this.#found.push({ id: hop.variable, table: 'edge_row' });
    else if (this.#place.role !== 'tested') this.#where.push(step.firstOfItsEnds);
    this.#find(finds);
  }

  /** SQL cannot count steps from row to row, so the start nodes become a table of their own. */
  #several(hop: Hop, reversed: boolean, finds: NodeVariable | null): void {
    const [near, far] = this.#ends(hop, reversed);
    if (finds !== null && this.#inMemory(hop, reversed, near, far)) {
      this.#find(finds);
      return;
    }
    const nearId = reversed ? hop.to : hop.from;
    const sources = this.#place.outer.has(nearId)
      ? raw(`select ${near}.node as source, ${near}.node as node`)
      : this.#cut(near);
    const { ctes, walk, table } = reachSql(this.#scope, hop, reversed, sources);
    this.#ctes.push(...ctes);
    this.#walk ??= sql`with recursive ${joinSql(this.#ctes, ', ')} select 1 from ${raw(walk)}`;
    this.#join({
      items: [raw(table)],
      where: [raw(`${table}.source = ${near}.node`), raw(`${table}.node = ${far}.node`)],
    });
    this.#find(finds);
  }

  /** Joins what the edges lead to, if they are in memory. */
  #inMemory(hop: Hop, reversed: boolean, near: string, far: string): boolean {
    const edges = this.#scope.edgesInMemory.get(hop.edge);
    const { reachedNodes } = this.#scope.queryDialect;
    if (edges === undefined || reachedNodes === null) return false;
    const found = this.#scope.uniqueName('h');
    const steps = { ...hop, direction: effectiveDirection(hop, reversed) };
    this.#join({
      items: [reachedNodes(edges, `${near}.node`, steps, found)],
      where: [raw(`${found}.value = ${far}.node`)],
    });
    return true;
  }

  /** Puts the block so far into a table of its own; returns a select of the nodes of a variable. */
  #cut(near: string): QueryFragment {
    this.#settle(false);
    const stage = this.#scope.uniqueName('s');
    const columns = this.#found.map(({ id, table }) => {
      const alias = this.#scope.alias(id);
      return table === 'node_row'
        ? `${alias}.row as ${alias}_row, ${alias}.node as ${alias}_node`
        : `${alias}.row as ${alias}_row`;
    });
    this.#ctes.push(
      sql`${raw(stage)} as materialized (select ${raw(columns.join(', '))} from ${joinSql(this.#items, ' cross join ')} where ${and(this.#where)})`,
    );
    this.#items = [raw(stage)];
    this.#where = [];
    for (const { id, table } of this.#found) {
      const alias = this.#scope.alias(id);
      this.#join({
        items: [raw(`${table} ${alias}`)],
        where: [
          sql`${raw(alias)}.graph = ${this.#scope.lineage.graph} and ${raw(alias)}.row = ${raw(stage)}.${raw(alias)}_row`,
        ],
      });
    }
    return raw(
      `select distinct ${stage}.${near}_node as source, ${stage}.${near}_node as node from ${stage}`,
    );
  }

  #find(finds: NodeVariable | null): void {
    if (finds === null) return;
    this.start(finds, nodeRowSql(this.#scope, finds));
  }

  #ends(hop: Hop, reversed: boolean): [near: string, far: string] {
    const [from, to] = [this.#scope.alias(hop.from), this.#scope.alias(hop.to)];
    return reversed ? [to, from] : [from, to];
  }

  #join({ items, where }: JoinSql): void {
    this.#items.push(...items);
    this.#where.push(...where);
  }

  #settle(everything: boolean): void {
    const known = new Set([...this.#place.outer, ...this.#found.map(({ id }) => id)]);
    const ready = (condition: Condition) =>
      [...variablesOf([condition])].every((variable) => known.has(variable));
    const due = this.#pending.filter((condition) => everything || ready(condition));
    this.#pending = this.#pending.filter((condition) => !due.includes(condition));
    for (const condition of due) this.#where.push(conditionSql(this.#scope, condition));
  }
}
