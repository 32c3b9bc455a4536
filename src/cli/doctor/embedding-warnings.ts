import type { Settings } from '../../config/settings.js';
import { openEmbedder } from '../../search/embedders/open-embedder.js';
import { matchDimensions } from '../../search/embedding/properties/match-dimensions.js';
import { parseEmbeddedProperties } from '../../search/embedding/properties/parse-embedded-properties.js';
import type { Store } from '../../store/store-contract.js';

/** Vector properties stay empty if the embedder makes no vectors, or none of their length. */
export async function embeddingWarnings(
  store: Store,
  { otherGraphs }: Pick<Settings, 'otherGraphs'>,
): Promise<string[]> {
  if (!store.capabilities.schemas) return [];
  const warnings: string[] = [];
  for (const { name } of await store.graphs()) {
    const asked = await parseEmbeddedProperties(
      await store.read({ graph: name }, (reader) => reader.schema()),
    );
    if (asked.length === 0) continue;
    try {
      const embedder = await openEmbedder(otherGraphs.embedding.value);
      const { mismatches } = await matchDimensions(asked, embedder);
      warnings.push(...mismatches.map((misfit) => `Graph ${name}: ${misfit}`));
    } catch {
      // tryModels reports an embedder that does not answer, once for all graphs.
    }
  }
  return warnings;
}
