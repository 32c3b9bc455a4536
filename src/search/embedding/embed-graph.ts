import type { VectorStore } from '../../store/vector-store.js';
import type { Embedder } from '../embedders/embedder.js';
import type { Perspective } from '../perspectives.js';
import { embeddingSpacesOf } from './embedding-spaces.js';

/** What embedding a graph needs. */
export interface EmbedGraphOptions {
  readonly vectors: VectorStore;
  readonly graph: string;
  readonly embedder: Embedder;
  readonly perspectives: readonly Perspective[];
  /** Told how many texts were embedded, after each batch. */
  readonly progress?: (texts: number) => void;
  /** Asked before each batch: true ends the work early. */
  readonly stopped?: () => boolean;
}

/**
 * Embeds every text of a graph that has no vector yet, batch by batch, each kept at once: what is interrupted goes on
 * where it ended. Vectors of other models and perspectives are dropped once all texts have those of these. Answers how
 * many it embedded.
 */
export async function embedGraph(work: EmbedGraphOptions): Promise<number> {
  const { vectors, graph, embedder, perspectives, progress, stopped = () => false } = work;
  const spaces = await embeddingSpacesOf({ embedder, perspectives });
  let done = 0;
  for (const { space, perspective } of spaces) {
    for (;;) {
      if (stopped()) return done;
      const pending = await vectors.pending(graph, space, embedder.batchSize);
      if (pending.length === 0) break;
      const made = await embedder.embed(
        pending.map(({ text }) => text),
        'document',
        perspective,
      );
      await vectors.put(
        graph,
        space,
        pending.flatMap(({ document }, at) => {
          const vector = made[at];
          return vector === undefined ? [] : [{ document, vector }];
        }),
      );
      done += pending.length;
      progress?.(pending.length);
    }
  }
  for (const { space } of spaces) if (!stopped()) await vectors.tend(graph, space);
  if (done > 0) {
    await vectors.forget(
      graph,
      spaces.map(({ space }) => space),
    );
  }
  return done;
}
