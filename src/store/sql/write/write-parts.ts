import type { NumberSet } from '../../../bounds/number-set.js';
import type { ChangeCounts } from '../../../model/commit.js';
import type { NodeId } from '../../../model/node.js';
import type { Order } from '../../../model/order.js';
import type { TouchLog } from '../commits/touch-log.js';
import type { OrdinalAllocator } from './ordinal-allocator.js';
import type { RegistryWriteCheck } from './registry-write-check.js';
import type { WriteStamp } from './row-values.js';
import type { WriteSchema } from './write-schema.js';

export type MutableChangeCounts = { -readonly [K in keyof ChangeCounts]: number };

/** What the parts of one write share. */
export interface WriteParts {
  readonly write: OpenWrite;
  readonly counts: MutableChangeCounts;
  readonly touches: TouchLog;
  readonly ordinals: OrdinalAllocator;
  readonly registry: RegistryWriteCheck;
  readonly schema: WriteSchema;
  /** Nodes that this write created, so that nobody else can have given them an edge. */
  readonly made: NumberSet;
  /** Those of them that have no row yet. */
  readonly rowless: Set<NodeId>;
}

export interface OpenWrite {
  /** What its rows are stamped with; begins the commit. */
  stamp(): Promise<WriteStamp>;
  /** The place of what is new in the order of the graph. */
  nextOrder(seq: number, position?: number): Order;
  /** The source of the graph schema in force. */
  schema(): Promise<string | null>;
}
