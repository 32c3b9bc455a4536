import type { Executor } from '../../sql/executor.js';
import { GraphCatalog } from '../../sql/graph-catalog.js';
import { deleteVectors, putVectors } from '../../sql/vectors/text-vectors.js';
import { ensureSpace, findSpaces, spacesOfGraph } from '../../sql/vectors/vector-spaces.js';
import type { PendingText, TextVector, VectorSpace, VectorStore } from '../../vector-store.js';
import { advanceProgress, pendingTexts } from './embedding-progress.js';

interface VectorDatabase {
  read<T>(look: (executor: Executor) => Promise<T>): Promise<T>;
  transact<T>(change: (executor: Executor) => Promise<T>): Promise<T>;
}

/** The vectors of a SQLite database; what is near to one is found by scanning them in memory. */
export class SqliteVectorStore implements VectorStore {
  readonly #access: VectorDatabase;

  constructor(access: VectorDatabase) {
    this.#access = access;
  }

  pending(graph: string, space: VectorSpace, limit: number): Promise<PendingText[]> {
    return this.#access.read(async (executor) =>
      pendingTexts(executor, await graphId(executor, graph), space, limit),
    );
  }

  put(graph: string, space: VectorSpace, vectors: readonly TextVector[]): Promise<void> {
    return this.#access.transact(async (executor) => {
      const place = { graph: await graphId(executor, graph), space: await ensureSpace(executor, space) };
      await putVectors(executor, place, vectors);
      // The writer is alone, so rows become visible in the order of their numbers.
      advanceProgress(executor, place, vectors);
    });
  }

  spaces(graph: string): Promise<VectorSpace[]> {
    return this.#access.read(async (executor) => spacesOfGraph(executor, await graphId(executor, graph)));
  }

  /** Vectors are scanned in memory, without an index. */
  async tend(): Promise<void> {}

  forget(graph: string, keep: readonly VectorSpace[] = []): Promise<void> {
    return this.#access.transact(async (executor) =>
      deleteVectors(executor, await graphId(executor, graph), await findSpaces(executor, keep)),
    );
  }
}

function graphId(executor: Executor, graph: string): Promise<number> {
  return new GraphCatalog(executor).requireGraph(graph);
}
