import type { Block, Condition, NodeVariable } from '../../../row-query.js';
import type { Executor, Fragment } from '../../executor.js';
import { type IndexedProperty, indexedProperties } from '../../properties/property-index.js';
import { integer } from '../../rows.js';
import type { Scope } from '../scope.js';
import { sql } from '../sql.js';
import { blocksOf, isTextCondition } from '../variables.js';
import { type Access, accessesOf, mayUseIndex } from './access.js';
import { accessSelect } from './access-sql.js';
import type { Start } from './plan-block.js';

/** Entries are counted so far: what has more is common, and how common makes no difference. */
const mostCounted = 1_000;

/** How to start with each variable of a query, should it be the first of its block to be found. */
export async function chooseStarts(
  executor: Executor,
  scope: Scope,
  match: Block,
): Promise<ReadonlyMap<string, Start>> {
  const blocks = blocksOf(match);
  const ranged = blocks.some(({ nodes, conditions }) => nodes.some((node) => mayUseIndex(node, conditions)));
  const indexes = ranged ? await indexedProperties(executor, scope.lineage.graph) : [];
  const starts = new Map<string, Start>();
  for (const block of blocks) {
    const choices = block.nodes.map((node) => choicesFor(scope, node, block, indexes));
    const all = choices.flatMap(({ accesses }) => accesses);
    // Counting pays only where there is something to choose. Inner blocks mostly start from what is found outside.
    const counts = block === match && all.length > 1 && !all.some(({ kind }) => kind === 'names');
    for (const { node, accesses } of choices) {
      const [likely = scan] = accesses;
      const start = counts
        ? await cheapest(executor, scope, node, accesses)
        : { access: likely, estimate: guess(likely) };
      starts.set(node.id, start);
    }
  }
  return starts;
}

const scan: Access = { kind: 'scan' };

function choicesFor(
  scope: Scope,
  node: NodeVariable,
  { conditions }: Block,
  indexes: readonly IndexedProperty[],
): { node: NodeVariable; accesses: Access[] } {
  const found = (condition: Condition) =>
    isTextCondition(condition) ? scope.findings.texts.get(condition) : undefined;
  const accesses = accessesOf(node, conditions, found, indexes).sort((a, b) => guess(a) - guess(b));
  const byName = accesses.find(({ kind }) => kind === 'names');
  // Nothing is better than a name, and anything is better than looking at all.
  if (byName !== undefined) return { node, accesses: [byName] };
  return { node, accesses: accesses.length > 0 ? accesses : [scan] };
}

/** What is likely better, without looking. */
function guess(access: Access): number {
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

async function cheapest(
  executor: Executor,
  scope: Scope,
  node: NodeVariable,
  accesses: readonly Access[],
): Promise<Start> {
  const counted = await Promise.all(
    accesses.map(async (access) => ({ access, estimate: await count(executor, scope, node, access) })),
  );
  counted.sort((a, b) => a.estimate - b.estimate || guess(a.access) - guess(b.access));
  return counted[0] ?? { access: scan, estimate: mostCounted };
}

async function count(executor: Executor, scope: Scope, node: NodeVariable, access: Access): Promise<number> {
  if (access.kind === 'names' || access.kind === 'rows') return guess(access);
  const select: Fragment = accessSelect(scope, node, access);
  const { sql: text, params } =
    sql`select count(*) as n from (${select} limit ${String(mostCounted)}) counted`;
  const [row] = await executor.all(text, params, { adHoc: true });
  return row === undefined ? 0 : integer(row, 'n');
}
