import { type EmbeddedProperty, embeddedPropertyName } from '../../../schema/graph/embedded-properties.js';
import { type Embedder, isModel } from '../../embedders/embedder.js';

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
          `${embeddedPropertyName(property)} stays empty because no embedder is configured. Set embedding.provider, or write the vectors yourself.`,
      ),
    };
  }
  const made = await embedder.dimension();
  const { canShorten } = embedder;
  const fits = ({ dimension }: EmbeddedProperty) => dimension === made || (canShorten && dimension < made);
  const isMeant = ({ model }: EmbeddedProperty) => isModel(embedder.id, model);
  return {
    matching: properties.filter((property) => isMeant(property) && fits(property)),
    mismatches: properties
      .filter((property) => !isMeant(property))
      .map(
        (property) =>
          `${embeddedPropertyName(property)} stays empty: its model is ${property.model}, but the embedder is ${embedder.id}. Configure that model, or change it in the schema.`,
      )
      .concat(
        dimensionMismatches(
          properties.filter((property) => isMeant(property) && !fits(property)),
          embedder,
          made,
        ),
      ),
  };
}

function dimensionMismatches(
  properties: readonly EmbeddedProperty[],
  { id, canShorten }: Embedder,
  made: number,
): string[] {
  return properties.map(
    (property) =>
      `${embeddedPropertyName(property)} stays empty: it is a Vector(${property.dimension}), but the embedder ${id} makes vectors of ${canShorten ? 'up to ' : ''}${made} numbers. Make it a Vector(${made}), or configure another embedder.`,
  );
}
