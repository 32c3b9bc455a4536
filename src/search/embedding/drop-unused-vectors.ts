import type { VectorStore } from '../../store/vector-store.js';
import type { Embedder } from '../embedders/embedder.js';
import { type EmbeddingModel, unusedSpaces } from './embedding-spaces.js';

/**
 * Drops, or only counts, perspectives that a graph no longer has. Vectors of another model stay until their
 * replacements exist.
 */
export async function dropUnusedVectors(
  vectors: VectorStore,
  graph: string,
  embedding: EmbeddingModel<Embedder>,
  dryRun: boolean,
): Promise<number> {
  const spaces = await vectors.spaces(graph);
  const gone = new Set(unusedSpaces(embedding, spaces));
  const kept = spaces.filter((space) => !gone.has(space));
  if (gone.size > 0 && !dryRun) await vectors.forget(graph, kept);
  return gone.size;
}
