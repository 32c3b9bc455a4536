import { LruCache } from '../../../bounds/lru-cache.js';
import type { Executor } from '../executor.js';
import type { FindNearest, GraphSpace, NearestDocumentIndex } from './nearest-document-index.js';
import { QuantizedVectors } from './quantized-vectors.js';

/** The compact copies of vectors that a store's readers scan. */
export class QuantizedVectorCache implements NearestDocumentIndex {
  /** By graph and space; few, since they are large. */
  readonly #mirrors = new LruCache<QuantizedVectors>(8);

  async forSpace(executor: Executor, space: GraphSpace): Promise<FindNearest> {
    const mirror = await this.#upToDate(executor, space);
    return async (query, count, only) => mirror.nearest(query, count, only);
  }

  async #upToDate(executor: Executor, { graph, space, dimension }: GraphSpace): Promise<QuantizedVectors> {
    const mirror = this.#mirrors.getOrCreate(
      `${graph} ${space}`,
      () => new QuantizedVectors(graph, space, dimension),
    );
    await mirror.refresh(executor);
    return mirror;
  }
}
