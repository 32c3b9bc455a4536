import type { Hop, NodeVariable, RowQueryBlock } from '../../../row-query.js';
import type { AccessPath } from './access-path.js';

export type PlanStep =
  | { readonly kind: 'start'; readonly variable: NodeVariable; readonly access: AccessPath }
  | {
      readonly kind: 'hop';
      readonly hop: Hop;
      readonly reversed: boolean;
      /** Null: both ends are known, and the hop only checks that they are connected. */
      readonly finds: NodeVariable | null;
    };

export interface Start {
  readonly access: AccessPath;
  readonly estimate: number;
}

/** The order in which to find the variables: from the fewest nodes, along hops, cheapest first; unconnected ones last. */
export function planBlock(
  block: RowQueryBlock,
  outer: ReadonlySet<string>,
  starts: ReadonlyMap<string, Start>,
): PlanStep[] {
  const known = new Set(outer);
  const nodes = new Map(block.nodes.map((node) => [node.id, node]));
  const hops = new Set(block.hops);
  const steps: PlanStep[] = [];
  const estimate = (id: string) => starts.get(id)?.estimate ?? Number.POSITIVE_INFINITY;

  const take = (hop: Hop) => {
    hops.delete(hop);
    const reversed = !known.has(hop.from);
    const end = reversed ? hop.from : hop.to;
    const finds = known.has(end) ? null : (nodes.get(end) ?? null);
    known.add(end);
    steps.push({ kind: 'hop', hop, reversed, finds });
  };

  for (;;) {
    const closing = [...hops].find(({ from, to }) => known.has(from) && known.has(to));
    if (closing !== undefined) {
      take(closing);
      continue;
    }
    const leading = [...hops]
      .filter(({ from, to }) => known.has(from) || known.has(to))
      .sort((a, b) => a.max - b.max || estimate(unknownEnd(a, known)) - estimate(unknownEnd(b, known)))[0];
    if (leading !== undefined) {
      take(leading);
      continue;
    }
    const [next] = [...nodes.values()]
      .filter(({ id }) => !known.has(id))
      .sort((a, b) => estimate(a.id) - estimate(b.id));
    if (next === undefined) return steps;
    known.add(next.id);
    steps.push({ kind: 'start', variable: next, access: starts.get(next.id)?.access ?? { kind: 'scan' } });
  }
}

function unknownEnd({ from, to }: Hop, known: ReadonlySet<string>): string {
  return known.has(from) ? to : from;
}
