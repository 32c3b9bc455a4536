import { isDeepStrictEqual } from 'node:util';
import type { Json, Props } from '../model/json.js';
import type { Provenance } from '../model/provenance.js';
import { RejectedError } from './check/rejected-error.js';
import type { ConflictPolicy } from './gate-settings.js';

export interface Stamp {
  readonly source: string;
  readonly extraction_method: string;
  readonly confidence: number;
  readonly write_gate_version: string;
  readonly last_updated: string;
  readonly derived_from?: readonly string[];
  readonly confirmed_by?: readonly string[];
}

export interface SourcedValue {
  readonly value: Json;
  readonly confidence: number;
  readonly source?: string;
  readonly extraction_method?: string;
  readonly last_updated?: string;
}

/** A property that the write replaces, or would replace, although the stored value has a higher confidence. */
export interface ConfidenceConflict {
  readonly property: string;
  readonly stored: SourcedValue;
  readonly incoming: SourcedValue;
  readonly kept: 'stored' | 'incoming';
}

/** How far a property can be trusted, before and after a write. */
export interface PropertyJudge {
  /** What a stored value is worth now. */
  storedConfidence(stored: Provenance): number;
  /** What the new value is worth beside the stored one. */
  confidenceIn(property: string, stored: Provenance, agrees: boolean): number;
  /** The sources that gave the stored value, except that of the new one; none if nobody will ask. */
  confirmedBy(stored: Provenance): readonly string[];
}

interface StoredProperties {
  readonly properties: Props;
  readonly provenance: Provenance | null;
}

export interface MergedProperties {
  readonly properties: Props;
  /** The provenance of each property. */
  readonly origins: Readonly<Record<string, Provenance>>;
  readonly conflicts: readonly ConfidenceConflict[];
}

/**
 * Puts incoming properties over stored ones; null removes. An unchanged value keeps its higher confidence: repeating a
 * fact with less certainty does not make it less certain.
 */
export function mergeProperties(
  stored: StoredProperties | undefined,
  incoming: Props,
  stamp: Stamp,
  policy: ConflictPolicy,
  judge?: PropertyJudge,
): MergedProperties {
  const properties = new Map(Object.entries(stored?.properties ?? {}));
  const origins = new Map(Object.entries(stored?.provenance?.properties ?? {}));
  const conflicts: ConfidenceConflict[] = [];
  for (const [property, value] of Object.entries(incoming)) {
    const before = properties.get(property);
    const origin = origins.get(property);
    const agrees = before !== undefined && isDeepStrictEqual(before, value);
    const known = judged(origin, judge);
    const own = known === undefined ? stamp : restamped(stamp, judge?.confidenceIn(property, known, agrees));
    const isStronger = known?.confidence !== undefined && known.confidence > own.confidence;
    if (agrees) {
      if (!isStronger) origins.set(property, confirmed(own, known, judge));
      continue;
    }
    if (before !== undefined && known !== undefined && isStronger) {
      const kept = policy === 'keep' ? 'stored' : 'incoming';
      conflicts.push({
        property,
        stored: toSourcedValue(before, known),
        incoming: toSourcedValue(value, own),
        kept,
      });
      if (policy === 'keep') continue;
    }
    if (value === null) {
      properties.delete(property);
      origins.delete(property);
    } else {
      properties.set(property, value);
      origins.set(property, own);
    }
  }
  return { properties: Object.fromEntries(properties), origins: Object.fromEntries(origins), conflicts };
}

/** With what its confidence is worth now. */
function judged(origin: Provenance | undefined, judge: PropertyJudge | undefined): Provenance | undefined {
  if (origin?.confidence === undefined || judge === undefined) return origin;
  return { ...origin, confidence: judge.storedConfidence(origin) };
}

function restamped(stamp: Stamp, confidence = stamp.confidence): Stamp {
  return confidence === stamp.confidence ? stamp : { ...stamp, confidence };
}

/** Remembers who gave the same value before, so that nobody counts twice. */
function confirmed(stamp: Stamp, stored: Provenance | undefined, judge: PropertyJudge | undefined): Stamp {
  const sources = stored === undefined ? [] : (judge?.confirmedBy(stored) ?? []);
  return sources.length === 0 ? stamp : { ...stamp, confirmed_by: sources };
}

function toSourcedValue(
  value: Json,
  { confidence = 0, source, extraction_method, last_updated }: Provenance,
): SourcedValue {
  return {
    value,
    confidence,
    ...(source === undefined ? {} : { source }),
    ...(extraction_method === undefined ? {} : { extraction_method }),
    ...(last_updated === undefined ? {} : { last_updated }),
  };
}

export function rejectConflicts(conflicts: readonly ConfidenceConflict[], policy: ConflictPolicy): void {
  if (policy !== 'reject' || conflicts.length === 0) return;
  const isOne = conflicts.length === 1;
  throw new RejectedError(
    'CONFLICT_HIGHER_CONFIDENCE',
    `${isOne ? 'A value of higher confidence is' : 'Values of higher confidence are'} stored for ${conflicts.map(({ property }) => property).join(', ')}.`,
    `Omit ${isOne ? 'it' : 'them'}, or write from a source that is at least as reliable.`,
    { conflicts: conflicts.map((conflict) => ({ ...conflict, kept: 'stored' })) },
  );
}
