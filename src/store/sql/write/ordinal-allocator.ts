import { TrellisError } from '../../../model/error.js';
import type { NodeId } from '../../../model/node.js';
import type { ObservationDraft } from '../../drafts.js';
import { readNumber } from '../rows.js';
import { sql } from '../sql.js';
import type { VisibleRows } from '../visible-rows.js';

/** Gives out ordinals during one write, from each node's counter, which never goes back. */
export class OrdinalAllocator {
  /** Ordinals that a new node's counter already includes. */
  readonly #reserved = new Map<NodeId, { next: number; readonly last: number }>();

  reserve(node: NodeId, count: number): void {
    if (count > 0) this.#reserved.set(node, { next: 1, last: count });
  }

  /** The ordinal that each draft asks for, or the next of its node. Synchronous if all were reserved. */
  take(place: VisibleRows, drafts: readonly ObservationDraft[]): number[] | Promise<number[]> {
    if (this.#reserved.size === 0) return takeCounted(place, drafts);
    const reserved = drafts.map((draft) => this.#takeReserved(draft));
    return reserved.every((ordinal) => ordinal !== undefined)
      ? reserved
      : takeUnreserved(place, drafts, reserved);
  }

  #takeReserved({ node, ordinal }: ObservationDraft): number | undefined {
    const reserved = this.#reserved.get(node);
    if (ordinal !== undefined || reserved === undefined || reserved.next > reserved.last) return undefined;
    return reserved.next++;
  }
}

export async function nextOrdinals(
  { executor, dialect, lineage: { graph } }: VisibleRows,
  nodes: readonly NodeId[],
): Promise<Map<NodeId, number>> {
  const list = dialect.inList('node', 'integer', nodes);
  const rows = await executor.all(
    sql`select node, max(next_ordinal) as next from identity where graph = ${graph} and ${list} group by node`,
  );
  return new Map(rows.map((row) => [readNumber(row, 'node'), readNumber(row, 'next')]));
}

interface OrdinalNeed {
  fresh: number;
  /** The least value of the counter before the fresh ones are taken. */
  past: number;
}

async function takeUnreserved(
  place: VisibleRows,
  drafts: readonly ObservationDraft[],
  reserved: readonly (number | undefined)[],
): Promise<number[]> {
  const rest = drafts.filter((_, index) => reserved[index] === undefined);
  const taken = await takeCounted(place, rest);
  return reserved.map((ordinal) => ordinal ?? (taken.shift() as number));
}

async function takeCounted(place: VisibleRows, drafts: readonly ObservationDraft[]): Promise<number[]> {
  const needs = new Map<NodeId, OrdinalNeed>();
  for (const { node, ordinal } of drafts) {
    const need = needs.get(node) ?? { fresh: 0, past: 0 };
    if (ordinal === undefined) need.fresh += 1;
    else need.past = Math.max(need.past, ordinal + 1);
    needs.set(node, need);
  }
  // Moved first, so that nobody else gets the same ones; then read, which is cheaper than `returning`.
  advanceCounters(place, needs);
  const next = await nextOrdinals(place, [...needs.keys()]);
  for (const [node, moved] of next) next.set(node, moved - (needs.get(node)?.fresh ?? 0));
  return drafts.map(({ node, ordinal }) => {
    if (ordinal !== undefined) return ordinal;
    const taken = next.get(node);
    if (taken === undefined)
      throw new TrellisError('INTERNAL', `Node ${node} has no identity to count ordinals on.`);
    next.set(node, taken + 1);
    return taken;
  });
}

function advanceCounters(
  { executor, dialect, lineage: { graph } }: VisibleRows,
  needs: ReadonlyMap<NodeId, OrdinalNeed>,
): void {
  const [[node, { fresh, past }] = [0, { fresh: 0, past: 0 }]] = needs;
  // Most calls are about one node, and joining a list costs more than the update.
  if (needs.size === 1) {
    executor.run(
      sql`update identity set next_ordinal = case when next_ordinal < ${past} then ${past} else next_ordinal end + ${fresh}
        where graph = ${graph} and node = ${node}`,
    );
    return;
  }
  const tuples = dialect.tuples(
    { node: 'integer', fresh: 'integer', past: 'integer' },
    Array.from(needs, ([node, { fresh, past }]) => [node, fresh, past]),
  );
  executor.run(
    sql`update identity set next_ordinal =
        case when next_ordinal < t.past then t.past else next_ordinal end + t.fresh
      from ${tuples} t where identity.graph = ${graph} and identity.node = t.node`,
  );
}
