import type { Graph } from '../../../engine/graph.js';
import type { NodeId } from '../../../model/node.js';
import type { EmbeddedProperty } from '../../../schema/graph/embedded-properties.js';
import type { Embedder } from '../../embedders/embedder.js';
import { fillGaps } from './fill-gaps.js';
import { gapsAmong, gapsIn } from './find-gaps.js';
import type { Wanted } from './gap.js';

/** What filling the vectors of a branch needs. */
export interface PropertyWork {
  /** On the branch to be filled. */
  readonly graph: Graph;
  readonly embedder: Embedder;
  /** Those that the embedder can fill. */
  readonly properties: readonly EmbeddedProperty[];
  /** Left out, the whole branch is looked at. */
  readonly nodes?: readonly NodeId[] | undefined;
  /** Default: `missing`. */
  readonly wanted?: Wanted | undefined;
  /** Told how many vectors were made, after each commit. */
  readonly progress?: ((vectors: number) => void) | undefined;
  /** Asked before each batch: true ends the work early. */
  readonly stopped?: (() => boolean) | undefined;
}

/**
 * Makes the vectors of a branch that `@embed` asks for, in commits of their own. What is to be done is what has none, so
 * what is interrupted goes on where it ended. Answers how many were made.
 */
export async function embedProperties(work: PropertyWork): Promise<number> {
  const { graph, embedder, properties, nodes, wanted = 'missing', progress, stopped = () => false } = work;
  const found = nodes === undefined ? gapsIn(graph, properties, wanted) : gapsAmong(graph, properties, nodes);
  let done = 0;
  for await (const gaps of found) {
    if (stopped()) break;
    if (gaps.length === 0) continue;
    const made = await fillGaps({ graph, embedder, wanted, stopped }, gaps);
    done += made;
    progress?.(made);
  }
  return done;
}
