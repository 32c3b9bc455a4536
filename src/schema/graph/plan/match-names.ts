interface Renamable {
  readonly name: string;
  readonly renamedFrom: string | null;
}

export type Pair<Thing> = readonly [before: Thing, after: Thing];

export interface Matching<Thing> {
  readonly kept: readonly Pair<Thing>[];
  /** Ordered so that each new name is free when its turn comes. */
  readonly renamed: readonly Pair<Thing>[];
  readonly added: readonly Thing[];
  readonly dropped: readonly Thing[];
  /** Kept things that newly claim to have had the name of another kept thing. */
  readonly blocked: readonly Thing[];
}

/**
 * Matches things by name and by `@rename_from`. An annotation that stays in the source after it was applied is not applied
 * again: a thing is renamed only if its new name is free, or becomes free by another rename.
 */
export function matchNames<Thing extends Renamable>(
  before: readonly Thing[],
  after: readonly Thing[],
  keyOf: (name: string) => string = (name) => name,
): Matching<Thing> {
  const old = new Map(before.map((thing) => [keyOf(thing.name), thing]));
  const left = new Map(old);
  const unplaced = new Map(after.map((thing) => [keyOf(thing.name), thing]));
  const renamed: Pair<Thing>[] = [];
  for (let found: readonly Thing[] = [...unplaced.values()]; found.length > 0; ) {
    found = [...unplaced.values()].filter((thing) => {
      const source = thing.renamedFrom === null ? undefined : left.get(keyOf(thing.renamedFrom));
      if (source === undefined || left.has(keyOf(thing.name))) return false;
      left.delete(keyOf(source.name));
      unplaced.delete(keyOf(thing.name));
      renamed.push([source, thing]);
      return true;
    });
  }
  const kept = [...unplaced].flatMap(([key, thing]): Pair<Thing>[] => {
    const same = left.get(key);
    return same === undefined ? [] : [[same, thing]];
  });
  const keptKeys = new Set(kept.map(([, thing]) => keyOf(thing.name)));
  return {
    kept,
    renamed,
    added: [...unplaced].filter(([key]) => !keptKeys.has(key)).map(([, thing]) => thing),
    dropped: [...left].filter(([key]) => !keptKeys.has(key)).map(([, thing]) => thing),
    blocked: kept.flatMap(([{ renamedFrom: known }, thing]) => {
      const { renamedFrom } = thing;
      return renamedFrom !== null && renamedFrom !== known && keptKeys.has(keyOf(renamedFrom)) ? [thing] : [];
    }),
  };
}
