import type { VectorStore } from '../../store/vector-store.js';
import type { Embedder } from '../embedders/embedder.js';
import type { Perspective } from '../perspectives.js';
import { embeddingSpacesOf } from './embedding-spaces.js';

interface EmbeddedGraph {
  readonly vectors: VectorStore;
  readonly graph: string;
  readonly embedder: Embedder;
  readonly perspectives: readonly Perspective[];
}

interface EmbedGraphOptions extends EmbeddedGraph {
  /** Whether vectors of other models and perspectives stay. */
  readonly keepOthers?: boolean;
  /** Called after each batch with the number of texts embedded so far. */
  readonly progress?: (texts: number) => void;
  /** Called when every text has a vector from a perspective; the next one follows. */
  readonly completed?: (perspective: Perspective) => void;
  /** Called before each batch; true ends the work early. */
  readonly stopped?: () => boolean;
}

/**
 * Embeds every text without a vector, and saves each batch at once, so that interrupted work continues where it ended.
 * Then drops vectors of other models and perspectives, if it made some. Returns the number of embedded texts.
 */
export async function embedGraph(work: EmbedGraphOptions): Promise<number> {
  const {
    vectors,
    graph,
    embedder,
    perspectives,
    keepOthers = false,
    progress,
    completed,
    stopped = () => false,
  } = work;
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
        pending.flatMap(({ document, purges }, at) => {
          const vector = made[at];
          return vector === undefined ? [] : [{ document, vector, purges }];
        }),
      );
      done += pending.length;
      progress?.(pending.length);
    }
    completed?.(perspective);
  }
  for (const { space } of spaces) if (!stopped()) await vectors.maintain(graph, space);
  if (done > 0 && !keepOthers) await dropOtherVectors(work);
  return done;
}

/** Drops vectors of other models and perspectives. */
export async function dropOtherVectors({ vectors, graph, ...embedding }: EmbeddedGraph): Promise<void> {
  const spaces = await embeddingSpacesOf(embedding);
  await vectors.forget(
    graph,
    spaces.map(({ space }) => space),
  );
}
