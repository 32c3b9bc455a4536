import { LruCache } from '../../../bounds/lru-cache.js';
import type { Executor } from '../executor.js';
import type { GraphSpace, NearestDocuments, Propose } from './nearest-documents.js';
import { VectorMirror } from './vector-mirror.js';

/** The compact copies of vectors that a store's readers scan. */
export class VectorMirrors implements NearestDocuments {
  /** By graph and space; few, since they are large. */
  readonly #mirrors = new LruCache<VectorMirror>(8);

  async among(executor: Executor, space: GraphSpace): Promise<Propose> {
    const mirror = await this.#upToDate(executor, space);
    return async (query, count, only) => mirror.nearest(query, count, only);
  }

  async #upToDate(executor: Executor, { graph, space, dimension }: GraphSpace): Promise<VectorMirror> {
    const mirror = this.#mirrors.getOrCreate(
      `${graph} ${space}`,
      () => new VectorMirror(graph, space, dimension),
    );
    await mirror.refresh(executor);
    return mirror;
  }
}
