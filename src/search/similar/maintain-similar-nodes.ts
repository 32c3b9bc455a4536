import { setImmediate } from 'node:timers/promises';
import { Deadline } from '../../bounds/deadline.js';
import { hiddenRegistry } from '../../store/graph-targets.js';
import type { Store } from '../../store/store-contract.js';
import type { VectorSpace } from '../../store/vector-store.js';

/** The best pairs are kept, however similar: of a large graph there are always enough, so they serve every search. */
const maintainedScore = -1;

export interface MaintainedGraph {
  readonly store: Store;
  readonly graph: string;
  readonly spaces: readonly VectorSpace[];
}

export interface MaintainOptions extends MaintainedGraph {
  /** How long it works without a pause. */
  readonly sliceMs: number;
  /** Called after each time; default: it goes on at once. */
  readonly pause?: (workedMs: number) => Promise<void>;
  /** Called before each time; true ends the work, and the next one goes on from what was saved. */
  readonly stopped?: () => boolean;
}

/** The nodes that the workspace surface compares. */
const targetOf = (graph: string) => ({ graph, registry: hiddenRegistry });

/** Whether so much has changed that the next search of a new process would take long. */
export async function needsMaintenance({ store, graph, spaces }: MaintainedGraph): Promise<boolean> {
  for (const space of spaces) {
    // Each by itself, so that other calls have their turn in between.
    const { isDone } = await store.read(targetOf(graph), (reader) =>
      reader.maintainNodePairs(space, { minScore: maintainedScore }),
    );
    if (!isDone) return true;
    await setImmediate();
  }
  return false;
}

/** Finds similar nodes of `main` in advance and saves them, so that the first search of a new process is quick. */
export async function maintainSimilarNodes(options: MaintainOptions): Promise<void> {
  const { store, graph, spaces, sliceMs, pause, stopped = () => false } = options;
  for (const space of spaces) {
    for (;;) {
      if (stopped()) return;
      const start = performance.now();
      const { isDone, patch } = await store.read(
        targetOf(graph),
        (reader) =>
          reader.maintainNodePairs(space, { minScore: maintainedScore, deadline: new Deadline(sliceMs) }),
        { length: 'thorough' },
      );
      if (patch !== undefined) await store.vectors?.saveNodePairs(graph, patch);
      if (isDone) break;
      await pause?.(performance.now() - start);
    }
  }
}
