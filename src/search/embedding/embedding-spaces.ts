import type { VectorSpace } from '../../store/vector-store.js';
import type { Embedder } from '../embedders/embedder.js';
import type { Perspective } from '../perspectives.js';

/** How the texts of a workspace are embedded; without an embedder, everything is answered from text. */
export interface EmbeddingModel<Model extends Embedder | null = Embedder | null> {
  readonly embedder: Model;
  readonly perspectives: readonly Perspective[];
}

/** A space of vectors, and the perspective they look from. */
export interface PerspectiveSpace {
  readonly perspective: Perspective;
  readonly space: VectorSpace;
}

/**
 * The spaces that an embedder fills: one for each perspective, or one for all. A changed instruction is another space.
 * It may have to ask the embedder for its dimension, so it is no part of a read.
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

/** Of these spaces, those of perspectives that the embedder is no longer told of; other models are not judged. */
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
