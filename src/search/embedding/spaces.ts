import type { VectorSpace } from '../../store/vectors.js';
import type { Embedder } from '../embedders/embedder.js';
import type { Perspective } from '../perspectives.js';

/** A space of vectors, and the perspective they look from. */
export interface PerspectiveSpace {
  readonly perspective: Perspective;
  readonly space: VectorSpace;
}

/** The spaces that an embedder fills: one for each perspective, or one for all. A changed instruction is another space. */
export async function spacesOf(
  embedder: Embedder,
  perspectives: readonly Perspective[],
): Promise<PerspectiveSpace[]> {
  const dimension = await embedder.dimension();
  const used = embedder.usesPerspectives ? perspectives : perspectives.slice(0, 1);
  return used.map((perspective) => ({
    perspective,
    space: {
      model: embedder.id,
      perspective: embedder.usesPerspectives
        ? JSON.stringify([perspective.name, perspective.instruction])
        : '',
      dimension,
    },
  }));
}
