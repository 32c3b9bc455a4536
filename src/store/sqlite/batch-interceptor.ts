import type { EdgeIdentity } from '../../model/edge.js';
import { TrellisError } from '../../model/error.js';
import type { NodeId } from '../../model/node.js';
import type { Reader } from '../reader.js';

/** What a batch of writes has changed, inside its still open transaction. */
export interface BatchChanges {
  readonly graph: string;
  /** Nodes whose row or observations changed, created and removed ones included. */
  readonly nodes: readonly NodeId[];
  readonly edges: readonly EdgeIdentity[];
  readonly seq: number;
  /** Sees the batch's own changes. */
  readonly reader: Reader;
}

/** Wraps each batch of writes of an in-memory store: this is how the JSONL store makes them durable. */
export interface BatchInterceptor {
  /** Before the transaction begins; a rejection fails every write of the batch. */
  begin(): Promise<void>;
  /**
   * Inside the transaction, after its last write and only if something changed; a rejection rolls the batch back, and
   * `Overtaken` has it done again.
   */
  beforeCommit(changes: BatchChanges): Promise<void>;
  /** After the transaction ended, either way, if `begin` had succeeded. */
  end(committed: boolean): Promise<void>;
}

/** Others changed what a batch was built on: nothing of it was written, and it is worth doing again on what is there now. */
export class ConcurrentChangeError extends TrellisError {
  constructor(message: string, path: string) {
    super('STORE_BUSY', message, { hint: 'Call again.', details: { path } });
  }
}
