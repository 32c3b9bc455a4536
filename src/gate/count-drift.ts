import type { Order } from '../model/order.js';
import type { Rejection } from '../model/rejection.js';
import type { ReadOptions } from '../store/read-options.js';
import type { RejectionPage } from '../store/read-requests.js';
import type { Reader } from '../store/reader.js';
import { type Drift, DriftCounter } from './drift-counter.js';
import type { SchemaRegistry } from './registry/schema-registry.js';

type VisitNode = DriftCounter['written'];

interface DriftSources {
  /** Visits every node that the gate may have written. */
  nodes(visit: VisitNode): Promise<void>;
  rejections(page: RejectionPage): Promise<readonly Rejection[]>;
}

interface LongReadableGraph {
  read<T>(work: (reader: Reader) => Promise<T>, options?: Pick<ReadOptions, 'length'>): Promise<T>;
}

const pageSize = 1_000;

/** Compares all kept rejections and all nodes with the registry. */
export async function countDrift(registry: SchemaRegistry, sources: DriftSources): Promise<Drift> {
  const counter = new DriftCounter(registry);
  for (let before: number | undefined; ; ) {
    const page = await sources.rejections({ before, limit: pageSize });
    for (const rejection of page) counter.rejected(rejection);
    before = page.at(-1)?.id;
    if (page.length < pageSize) break;
  }
  await sources.nodes((node) => counter.written(node));
  return counter.result();
}

export async function visitGraphNodes(graph: LongReadableGraph, visit: VisitNode): Promise<void> {
  await graph.read(
    async (reader) => {
      for (let after: Order | undefined; ; ) {
        const page = await reader.nodes({ after, limit: pageSize, withProvenance: true });
        for (const node of page) visit(node);
        after = page.at(-1)?.order;
        if (page.length < pageSize) break;
      }
    },
    { length: 'linear' },
  );
}
