import { editDistance } from './edit-distance.js';

interface NameSimilarity {
  /** The part of a name that is compared. */
  key(name: string): string;
  /** How many letters may differ. */
  tolerance(key: string): number;
}

/** Longer names are not typos. */
const maxComparedLength = 64;

/** Ignores case; a third of the letters may be wrong. */
const typoSimilarity: NameSimilarity = {
  key: (name) => name.toLowerCase(),
  tolerance: ({ length }) => (length > maxComparedLength ? 0 : Math.max(1, Math.floor(length / 3))),
};

export function nearest(
  meant: string,
  names: Iterable<string>,
  { key, tolerance }: NameSimilarity = typoSimilarity,
): string | undefined {
  const wanted = key(meant);
  if (wanted === '') return undefined;
  const max = tolerance(wanted);
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of names) {
    const other = key(name);
    const distance = other === wanted ? 0 : editDistance(wanted, other, max);
    if (Number.isFinite(distance) && (best === undefined || distance < best.distance))
      best = { name, distance };
  }
  return best?.name;
}

/** ` Did you mean "rules"?` or an empty string. */
export function didYouMean(meant: string, names: Iterable<string>): string {
  const name = nearest(meant, names);
  return name === undefined ? '' : ` Did you mean ${JSON.stringify(name)}?`;
}
