import type { Props } from '../model/json.js';
import type { Provenance } from '../model/provenance.js';

/** A line that describes a node. */
export interface IngestNodeLine {
  readonly kind: 'node';
  readonly line: number;
  readonly type: string;
  /** What it is called by, if the line says so beside its properties. */
  readonly id: string | undefined;
  readonly data: Props;
  readonly summary: string | null | undefined;
  readonly tags: readonly string[] | undefined;
  readonly observations: readonly string[] | undefined;
  readonly provenance: Provenance | undefined;
}

/** A line that describes an edge. */
export interface IngestEdgeLine {
  readonly kind: 'edge';
  readonly line: number;
  readonly type: string;
  readonly from: string;
  readonly to: string;
  /** The types of its ends, where nodes of several types have their names. */
  readonly fromType: string | undefined;
  readonly toType: string | undefined;
  /** Tells edges of one type between the same nodes apart, on a graph without a schema. */
  readonly key: string | undefined;
  readonly weight: number | undefined;
  readonly data: Props;
  readonly provenance: Provenance | undefined;
}

export type IngestLine = IngestNodeLine | IngestEdgeLine;
