import type { Provenance } from '../model/provenance.js';
import type { Origin } from './check/gate-arguments.js';
import type { ResolvedName } from './check/resolved-name.js';
import type { Derivation } from './derivation/resolve-derivation.js';
import { remapMark } from './gate-names.js';
import type { Keys } from './gate-target.js';
import type { MergedProperties, Stamp } from './merge-properties.js';

export function stampOf(
  { source, extraction_method }: Origin,
  confidence: number,
  now: number,
  { references }: Derivation,
): Stamp {
  return {
    source,
    extraction_method,
    confidence,
    write_gate_version: gateVersion,
    last_updated: new Date(now).toISOString(),
    ...(references.length === 0 ? {} : { derived_from: references }),
  };
}

/** The stamp of this write with what earlier ones left. A node keeps the keys it was created with. */
export function nodeProvenance(
  stamp: Stamp,
  { origins }: Pick<MergedProperties, 'origins'>,
  label: ResolvedName,
  keys: Keys,
  before: Provenance | null | undefined,
): Provenance {
  const remappedFrom = label.remapped ? remapMark(label.given) : before?._schema_remap_from;
  return {
    ...stamp,
    ...(remappedFrom === undefined ? {} : { _schema_remap_from: remappedFrom }),
    merge_keys: before?.merge_keys ?? Object.keys(keys),
    properties: origins,
  };
}

/** Stamped on every write; changes with what the gate checks or computes. */
export const gateVersion = '1.2.0';
