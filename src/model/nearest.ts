import { editDistance } from './edit-distance.js';

/** What makes two names alike. */
export interface NameSimilarity {
  /** What of a name is compared. */
  key(name: string): string;
  /** How many letters may differ from this key. */
  tolerance(key: string): number;
}

/** Whoever writes more than this has not mistyped a name. */
const maxComparedLength = 64;

/** Names that people type: a third of the letters may be wrong, and case does not count. */
const typoSimilarity: NameSimilarity = {
  key: (name) => name.toLowerCase(),
  tolerance: ({ length }) => (length > maxComparedLength ? 0 : Math.max(1, Math.floor(length / 3))),
};

/** The one of `names` that was most likely meant, or undefined if none is close. */
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

/** ` Did you mean "rules"?`, or nothing: to be put after a message. */
export function didYouMean(meant: string, names: Iterable<string>): string {
  const name = nearest(meant, names);
  return name === undefined ? '' : ` Did you mean ${JSON.stringify(name)}?`;
}
