import type { RedactableText } from '../../model/error.js';
import type { VectorSpace, VectorStore } from '../../store/vector-store.js';
import { asEmbedderError, type Embedder, withEmbedderTimeout } from '../embedders/embedder.js';
import type { Perspective } from '../perspectives.js';

export const noEmbedder = publicText('No embedder is configured.');
export const noVectors = publicText('This store keeps no vectors. Search by meaning needs a database.');
export const nothingEmbedded = publicText('No text has been embedded yet.');

function publicText(message: string): RedactableText {
  return { message, publicMessage: message };
}

/** How the texts of a workspace are embedded; without an embedder, searches use text only. */
export interface EmbeddingModel<Model extends Embedder | null = Embedder | null> {
  readonly embedder: Model;
  readonly perspectives: readonly Perspective[];
  /** Why there is no embedder. */
  readonly unavailable?: RedactableText;
  /** In place of the weight that the embedder declares. */
  readonly meaningWeight?: number | undefined;
}

interface PerspectiveSpace {
  readonly perspective: Perspective;
  readonly space: VectorSpace;
}

/**
 * Where texts have vectors: one space per perspective, or one for all; a changed instruction is another space. May ask
 * the embedder for its dimension, so do not call it within a read.
 */
export async function embeddingSpacesOf({
  embedder,
  perspectives,
}: EmbeddingModel<Embedder>): Promise<PerspectiveSpace[]> {
  const dimension = await embedder.dimension();
  const used = embedder.perspectives === 'all' ? perspectives : perspectives.slice(0, 1);
  return used.map((perspective) => ({
    perspective,
    space: { model: embedder.id, perspective: keyOf(embedder, perspective), dimension },
  }));
}

/** Where a query is compared from each of its perspectives. */
export async function querySpacesOf(embedding: EmbeddingModel<Embedder>): Promise<PerspectiveSpace[]> {
  const spaces = await embeddingSpacesOf(embedding);
  if (embedding.embedder.perspectives !== 'queries') return spaces;
  return spaces.flatMap(({ space }) => embedding.perspectives.map((perspective) => ({ perspective, space })));
}

/** Spaces of this embedder whose perspective no longer exists. */
function unusedSpaces(
  { embedder, perspectives }: EmbeddingModel<Embedder>,
  spaces: readonly VectorSpace[],
): VectorSpace[] {
  const used = new Set(perspectives.map((perspective) => keyOf(embedder, perspective)));
  return spaces.filter(({ model, perspective }) => model === embedder.id && !used.has(perspective));
}

function keyOf({ perspectives }: Embedder, { name, instruction }: Perspective): string {
  return perspectives === 'all' ? JSON.stringify([name, instruction]) : '';
}

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

export type KnownSpaces =
  | { readonly known: true; readonly spaces: readonly VectorSpace[] }
  | { readonly known: false; readonly reason: RedactableText };

/** Without its embedder, not even the dimension of the vectors is known. */
export async function resolveSpaces({
  embedder,
  perspectives,
  unavailable = noEmbedder,
}: EmbeddingModel): Promise<KnownSpaces> {
  if (embedder === null) return { known: false, reason: unavailable };
  try {
    const spaces = await withEmbedderTimeout(embeddingSpacesOf({ embedder, perspectives }));
    return { known: true, spaces: spaces.map(({ space }) => space) };
  } catch (error) {
    return { known: false, reason: asEmbedderError(error) };
  }
}
