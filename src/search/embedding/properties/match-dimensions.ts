import type { EmbeddedProperty } from '../../../schema/graph/embedded-properties.js';
import type { Embedder } from '../../embedders/embedder.js';

/** Which vector properties an embedder can fill. */
interface DimensionMatch {
  readonly matching: readonly EmbeddedProperty[];
  /** A sentence for each property that stays empty. */
  readonly mismatches: readonly string[];
}

export async function matchDimensions(
  properties: readonly EmbeddedProperty[],
  embedder: Embedder | null,
): Promise<DimensionMatch> {
  if (properties.length === 0) return { matching: [], mismatches: [] };
  if (embedder === null) {
    return {
      matching: [],
      mismatches: properties.map(
        (property) =>
          `${nameOf(property)} stays empty because no embedder is configured. Set embedding.provider, or write the vectors yourself.`,
      ),
    };
  }
  const made = await embedder.dimension();
  const { canShorten } = embedder;
  const fits = ({ dimension }: EmbeddedProperty) => dimension === made || (canShorten && dimension < made);
  return {
    matching: properties.filter(fits),
    mismatches: properties
      .filter((property) => !fits(property))
      .map(
        (property) =>
          `${nameOf(property)} stays empty: it is a Vector(${property.dimension}), but the embedder ${embedder.id} makes vectors of ${canShorten ? 'up to ' : ''}${made} numbers. Make it a Vector(${made}), or configure another embedder.`,
      ),
  };
}

function nameOf({ type, property }: EmbeddedProperty): string {
  return `${type}.${property}`;
}
