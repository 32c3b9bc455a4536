import { isDeepStrictEqual } from 'node:util';
import type { NodeVariable, RowQuery, RowQueryBlock } from '../../../row-query.js';
import type { Executor } from '../../executor.js';
import { type IndexedProperty, listIndexedProperties } from '../../properties/property-index.js';
import { selectNumber } from '../../rows.js';
import { raw, sql } from '../../sql.js';
import { blocksOf } from '../query-variables.js';
import type { SqlScope } from '../sql-scope.js';
import { type AccessPath, accessPathsOf, isParameterized, mayUseIndex } from './access-path.js';
import { accessPathCountSql } from './access-path-sql.js';
import { planBlock, type Start } from './plan-block.js';

/** Rows are counted up to this; anything above is "common". */
const maxCounted = 1_000;

export async function chooseStarts(
  executor: Executor,
  scope: SqlScope,
  query: RowQuery,
): Promise<ReadonlyMap<string, Start>> {
  const { match } = query;
  const blocks = blocksOf(query);
  const ranged = blocks.some(({ nodes, conditions }) =>
    nodes.some((node) => mayUseIndex(scope, node, conditions)),
  );
  const indexes = ranged ? await listIndexedProperties(executor, scope.lineage.graph) : [];
  const starts = new Map<string, Start>();
  const ifRare = new Map<string, Start>();
  for (const block of blocks) {
    const choices = block.nodes.map((node) => accessPathsFor(scope, node, block, indexes));
    const all = choices.flatMap(({ accesses }) => accesses);
    // Counting pays only if there is a choice. Inner blocks mostly start from outer variables.
    const counts = block === match && all.length > 1 && !all.some(({ kind }) => kind === 'names');
    for (const { node, accesses } of choices) {
      const [likely = scanPath] = accesses;
      const counted = counts
        ? await countStarts(executor, scope, node, accesses)
        : [{ access: likely, estimate: heuristicCost(likely) }];
      starts.set(node.id, cheapest(counted));
      const rare = counted.map((start) =>
        isParameterized(start.access) ? { ...start, estimate: 0 } : start,
      );
      if (counts) ifRare.set(node.id, cheapest(rare));
    }
  }
  // The plan fits the values of this call alone if it would be another one for values that nothing has.
  if (ifRare.size > 0 && !isSamePlan(match, starts, ifRare)) scope.isSingleUse = true;
  return starts;
}

const scanPath: AccessPath = { kind: 'scan' };

function accessPathsFor(
  scope: SqlScope,
  node: NodeVariable,
  { conditions }: RowQueryBlock,
  indexes: readonly IndexedProperty[],
): { node: NodeVariable; accesses: AccessPath[] } {
  const accesses = accessPathsOf(node, conditions, scope, indexes).sort(
    (a, b) => heuristicCost(a) - heuristicCost(b),
  );
  if (accesses.some((access) => access.kind === 'range' && access.isDecided)) scope.isSingleUse = true;
  const byName = accesses.find(({ kind }) => kind === 'names');
  // A name beats everything, and everything beats a scan.
  if (byName !== undefined) return { node, accesses: [byName] };
  return { node, accesses: accesses.length > 0 ? accesses : [scanPath] };
}

function heuristicCost(access: AccessPath): number {
  switch (access.kind) {
    case 'names':
      return access.names.length;
    case 'rows':
      return access.rows.length;
    case 'values':
      return 100;
    case 'range':
      return 10_000;
    case 'scan':
      return 1_000_000;
  }
}

async function countStarts(
  executor: Executor,
  scope: SqlScope,
  node: NodeVariable,
  accesses: readonly AccessPath[],
): Promise<Start[]> {
  return Promise.all(
    accesses.map(async (access) => ({ access, estimate: await estimateRows(executor, scope, node, access) })),
  );
}

function cheapest(starts: readonly Start[]): Start {
  const [first] = [...starts].sort(
    (a, b) => a.estimate - b.estimate || heuristicCost(a.access) - heuristicCost(b.access),
  );
  return first ?? { access: scanPath, estimate: maxCounted };
}

function isSamePlan(
  match: RowQueryBlock,
  starts: ReadonlyMap<string, Start>,
  others: ReadonlyMap<string, Start>,
): boolean {
  const [steps, otherSteps] = [starts, others].map((each) => planBlock(match, new Set(), each));
  return isDeepStrictEqual(steps, otherSteps);
}

async function estimateRows(
  executor: Executor,
  scope: SqlScope,
  node: NodeVariable,
  access: AccessPath,
): Promise<number> {
  if (access.kind === 'names' || access.kind === 'rows') return heuristicCost(access);
  const select = accessPathCountSql(scope, node, access);
  const count = sql`select count(*) as n from (${select} limit ${raw(maxCounted)}) counted`;
  return selectNumber(executor, scope.bind(count), { adHoc: true });
}
