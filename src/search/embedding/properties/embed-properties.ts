import type { Graph } from '../../../engine/graph.js';
import type { NodeId } from '../../../model/node.js';
import type { EmbeddedProperty } from '../../../schema/graph/embedded-properties.js';
import type { Embedder } from '../../embedders/embedder.js';
import { fillVectors } from './fill-vectors.js';
import { vectorTasksAmong, vectorTasksIn } from './find-vector-tasks.js';
import type { VectorScope } from './vector-task.js';

/** What filling the vectors of a branch needs. */
export interface EmbedPropertiesOptions {
  /** On the branch to be filled. */
  readonly graph: Graph;
  readonly embedder: Embedder;
  /** Those that the embedder can fill. */
  readonly properties: readonly EmbeddedProperty[];
  /** Left out, the whole branch is looked at. */
  readonly nodes?: readonly NodeId[] | undefined;
  /** Default: `missing`. */
  readonly wanted?: VectorScope | undefined;
  /** Told how many vectors were made, after each commit. */
  readonly progress?: ((vectors: number) => void) | undefined;
  /** Asked before each batch: true ends the work early. */
  readonly stopped?: (() => boolean) | undefined;
}

/**
 * Makes the vectors of a branch that `@embed` asks for, in commits of their own. What is to be done is what has none, so
 * what is interrupted goes on where it ended. Answers how many were made.
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
