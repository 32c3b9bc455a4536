import type { Ids } from '../../model/clock.js';
import type { GraphSchema } from '../../schema/graph/graph-schema.js';
import type { Writer } from '../../store/writer.js';

/** What a statement of a mutation runs on. */
export interface MutationContext {
  readonly rows: Writer;
  readonly schema: GraphSchema | null;
  /** For nodes that nothing names. */
  readonly ids: Ids;
}

/** How many nodes and edges a statement was about. */
export interface AffectedCounts {
  readonly nodes: number;
  readonly edges: number;
}
