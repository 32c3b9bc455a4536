import type { Ids } from '../../model/clock.js';
import type { GraphSchema } from '../../schema/graph/graph-schema.js';
import type { Writer } from '../../store/writer.js';

export interface MutationContext {
  readonly rows: Writer;
  readonly schema: GraphSchema | null;
  /** For nodes without a name or a key. */
  readonly ids: Ids;
}

export interface AffectedCounts {
  readonly nodes: number;
  readonly edges: number;
}
