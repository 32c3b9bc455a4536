import type { Graph } from '../../../engine/graph.js';
import type { NodeId } from '../../../model/node.js';
import type { EmbeddedProperty } from '../../../schema/graph/embedded-properties.js';
import type { Embedder } from '../../embedders/embedder.js';
import { fillVectors } from './fill-vectors.js';
import { vectorTasksAmong, vectorTasksIn } from './find-vector-tasks.js';
import type { VectorScope } from './vector-task.js';

export interface EmbedPropertiesOptions {
  readonly graph: Graph;
  readonly embedder: Embedder;
  /** Those that the embedder can fill. */
  readonly properties: readonly EmbeddedProperty[];
  /** Default: the whole branch. */
  readonly nodes?: readonly NodeId[] | undefined;
  /** Default: `missing`. */
  readonly wanted?: VectorScope | undefined;
  /** Called after each commit with the number of vectors so far. */
  readonly progress?: ((vectors: number) => void) | undefined;
  /** Called before each batch; true ends the work early. */
  readonly stopped?: (() => boolean) | undefined;
}

/**
 * Fills the vectors that `@embed` defines, in commits of their own. Interrupted work continues where it ended. Returns
 * the number of vectors.
 */
export async function embedProperties(work: EmbedPropertiesOptions): Promise<number> {
  const { graph, embedder, properties, nodes, wanted = 'missing', progress, stopped = () => false } = work;
  const found =
    nodes === undefined
      ? vectorTasksIn(graph, properties, wanted)
      : vectorTasksAmong(graph, properties, nodes);
  let done = 0;
  for await (const gaps of found) {
    if (stopped()) break;
    if (gaps.length === 0) continue;
    const made = await fillVectors({ graph, embedder, wanted, stopped }, gaps);
    done += made;
    progress?.(made);
  }
  return done;
}
