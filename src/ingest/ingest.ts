import type { Transaction } from '../engine/graph.js';
import { compareText } from '../model/order.js';
import { schemaViolation, type Violation } from '../model/violation.js';
import { type Batch, batchEdgeKey, nodeKey } from './batch.js';
import type { IngestMode } from './modes.js';
import { removeOtherEdges, removeOtherNodes } from './remove-others.js';
import { writeEdges } from './write-edges.js';
import { writeNodes } from './write-nodes.js';

/** How many nodes and edges of each type were in a batch, by name. */
export interface Loaded {
  readonly nodes: readonly TypeLoaded[];
  readonly edges: readonly TypeLoaded[];
}

export interface TypeLoaded {
  readonly name: string;
  readonly loaded: number;
}

/** Writes a batch: all of it, or nothing, and then the error names the line. */
export async function ingestBatch(tx: Transaction, batch: Batch, mode: IngestMode): Promise<Loaded> {
  const nodes = await writeNodes(tx.rows, batch, mode);
  if (mode === 'overwrite') await removeOtherNodes(tx.rows, batch, nodes);
  const edges = await writeEdges(tx.rows, batch, nodes, mode);
  if (mode === 'overwrite') await removeOtherEdges(tx.rows, batch, edges);
  const violations = await tx.rows.violations();
  if (violations.length > 0) throw schemaViolation(violations.map((violation) => atLine(batch, violation)));
  return { nodes: loaded(batch.nodes.values()), edges: loaded(batch.edges.values()) };
}

function atLine({ nodes, edges }: Batch, violation: Violation): Violation {
  const { node, edge } = violation;
  const found =
    node !== undefined
      ? nodes.get(nodeKey(node))
      : edge !== undefined
        ? edges.get(
            batchEdgeKey({
              ...{ type: edge.type, key: edge.key },
              from: { type: undefined, name: edge.fromName },
              to: { type: undefined, name: edge.toName },
            }),
          )
        : undefined;
  return { ...violation, line: found?.line };
}

function loaded(things: Iterable<{ readonly type: string }>): TypeLoaded[] {
  const counts = new Map<string, number>();
  for (const { type } of things) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => compareText(a, b)).map(([name, count]) => ({ name, loaded: count }));
}
