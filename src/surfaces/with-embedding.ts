import { embedAuthor } from '../search/embedding/properties/fill-vectors.js';
import { sharePropertyEmbedder } from '../search/embedding/properties/share-property-embedder.js';
import type { Surface, SurfaceContext } from './surface.js';

/** A surface behind which the vectors are filled that the graph's schema has made of texts, whichever tool wrote those. */
export function withEmbedding(surface: Surface, { store, graph, settings, warn }: SurfaceContext): Surface {
  if (!store.capabilities.schemas) return surface;
  const embedder = sharePropertyEmbedder(store, settings.embedding ?? { provider: 'local' }, warn);
  embedder.wake(graph);
  const forget = graph.onAnyCommit(({ actor, tool }) => {
    const isOwn = actor === embedAuthor.actor && tool === embedAuthor.tool;
    if (!isOwn) embedder.wake(graph);
  });
  return {
    ...surface,
    get tools() {
      return surface.tools;
    },
    async close() {
      forget();
      await embedder.release();
      await surface.close?.();
    },
  };
}
