import type { VectorSpace } from '../../store/vector-store.js';
import type { Embedder } from '../embedders/embedder.js';
import type { Perspective } from '../perspectives.js';

/** How the texts of a workspace are embedded; without an embedder, searches use text only. */
export interface EmbeddingModel<Model extends Embedder | null = Embedder | null> {
  readonly embedder: Model;
  readonly perspectives: readonly Perspective[];
}

export interface PerspectiveSpace {
  readonly perspective: Perspective;
  readonly space: VectorSpace;
}

/**
 * One space per perspective, or one for all; a changed instruction is another space. May ask the embedder for its
 * dimension, so do not call it within a read.
 */
export async function embeddingSpacesOf({
  embedder,
  perspectives,
}: EmbeddingModel<Embedder>): Promise<PerspectiveSpace[]> {
  const dimension = await embedder.dimension();
  const used = embedder.usesPerspectives ? perspectives : perspectives.slice(0, 1);
  return used.map((perspective) => ({
    perspective,
    space: { model: embedder.id, perspective: keyOf(embedder, perspective), dimension },
  }));
}

/** Spaces of this embedder whose perspective no longer exists. */
export function unusedSpaces(
  { embedder, perspectives }: EmbeddingModel<Embedder>,
  spaces: readonly VectorSpace[],
): VectorSpace[] {
  const used = new Set(perspectives.map((perspective) => keyOf(embedder, perspective)));
  return spaces.filter(({ model, perspective }) => model === embedder.id && !used.has(perspective));
}

function keyOf({ usesPerspectives }: Embedder, { name, instruction }: Perspective): string {
  return usesPerspectives ? JSON.stringify([name, instruction]) : '';
}
