import type { Json, Props } from '../../../model/json.js';
import { equalJson } from '../../../model/json.js';
import type { PropsWithProvenance, Provenance } from '../../../model/provenance.js';
import type { DerivedProperty } from '../../../store/read-results.js';
import type { Conflict, Sides } from './conflict.js';
import type { ConflictResolver } from './conflict-resolver.js';
import { derivedPropertySide } from './merge-derived-properties.js';

export type ConflictSubject = Pick<Conflict, 'kind' | 'id'>;

/** The side that needs no decision: the only one that changed, or either if they agree. */
function trivialSide<T>({ base, ours, theirs }: Sides<T>): 'ours' | 'theirs' | undefined {
  if (equalJson(ours, theirs) || equalJson(theirs, base)) return 'ours';
  return equalJson(ours, base) ? 'theirs' : undefined;
}

export function mergeValue<T extends Json>(
  sides: Sides<T | undefined>,
  property: string,
  about: ConflictSubject,
  resolver: ConflictResolver,
): 'ours' | 'theirs' {
  const side = trivialSide(sides);
  if (side !== undefined) return side;
  return resolver.resolve({ ...about, property, ...conflictValues(sides) }) === 'source' ? 'theirs' : 'ours';
}

/** Merges each property by itself; derived properties come last and follow the others. */
export function mergeProps(
  sides: Sides<Props>,
  about: ConflictSubject,
  resolver: ConflictResolver,
  derived: readonly DerivedProperty[] = [],
): Props {
  const { base, ours, theirs } = sides;
  if (trivialSide(sides) === 'ours') return ours;
  const merged = new Map<string, Json>();
  const last = new Map(derived.map((one) => [one.property, one]));
  const keys = new Set([...Object.keys(ours), ...Object.keys(theirs)]);
  for (const key of [...[...keys].filter((one) => !last.has(one)), ...last.keys()]) {
    const values = { base: own(base, key), ours: own(ours, key), theirs: own(theirs, key) };
    const made = last.get(key);
    const side = made === undefined ? undefined : derivedPropertySide(made, sides, merged);
    const value = values[side ?? mergeValue(values, `props.${key}`, about, resolver)];
    if (value !== undefined) merged.set(key, value);
  }
  return Object.fromEntries(merged);
}

/** Tags are a set: additions and removals of both sides apply, and never conflict. */
export function mergeTags(sides: Sides<readonly string[]>): readonly string[] {
  const { base, ours, theirs } = sides;
  const side = trivialSide(sides);
  if (side !== undefined) return sides[side];
  return [
    ...ours.filter((tag) => theirs.includes(tag) || !base.includes(tag)),
    ...theirs.filter((tag) => !ours.includes(tag) && !base.includes(tag)),
  ];
}

/**
 * People do not decide about provenance. It is taken whole, because a confidence belongs to its source: from the side
 * that changed, else from the one updated last, else from the source of the merge.
 */
export function mergeProvenance(sides: Sides<Provenance | null>): Provenance | null {
  const side = trivialSide(sides);
  if (side !== undefined) return sides[side];
  const { ours, theirs } = sides;
  if (ours === null || theirs === null) return theirs ?? ours;
  return (ours.last_updated ?? '') > (theirs.last_updated ?? '') ? ours : theirs;
}

/** Each property keeps the provenance of the side its value came from. */
export function mergeProvenanceWithProps(
  { base, ours, theirs }: Sides<PropsWithProvenance>,
  props: Props,
): Provenance | null {
  const whole = mergeProvenance({
    ...{ base: base.provenance, ours: ours.provenance, theirs: theirs.provenance },
  });
  const sides = [ours, theirs];
  if (sides.every(({ provenance }) => provenance?.properties === undefined)) return whole;
  const each = Object.entries(props).flatMap(([key, value]): [string, Provenance][] => {
    const [here, elsewhere] = sides.map((side) =>
      equalJson(own(side.props, key), value) ? propertyProvenance(side, key) : undefined,
    );
    const merged =
      here === undefined || elsewhere === undefined
        ? (here ?? elsewhere ?? null)
        : mergeProvenance({ base: propertyProvenance(base, key), ours: here, theirs: elsewhere });
    return merged === null ? [] : [[key, merged]];
  });
  const { properties: _, ...stamp } = whole ?? {};
  return each.length === 0 ? whole && stamp : { ...stamp, properties: Object.fromEntries(each) };
}

function propertyProvenance({ provenance }: PropsWithProvenance, key: string): Provenance | null {
  return own(provenance?.properties ?? {}, key) ?? null;
}

/** Leaves out sides that have no value. */
export function conflictValues({
  base,
  ours,
  theirs,
}: Sides<Json | undefined>): Pick<Conflict, 'base' | 'ours' | 'theirs'> {
  return {
    ...(base === undefined ? {} : { base }),
    ...(ours === undefined ? {} : { ours }),
    ...(theirs === undefined ? {} : { theirs }),
  };
}

function own<T>(values: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}
