import type { Clock, Ids } from '../model/clock.js';
import type { CompiledGraphSchema } from './write-validator.js';

export interface StoreOptions {
  readonly clock?: Clock;
  readonly ids?: Ids;
  /** Refuses a source that is not a valid schema. Without it, a graph that has a schema cannot be written. */
  readonly compileGraphSchema?: (source: string) => Promise<CompiledGraphSchema>;
  /** How many rejected writes are kept of each graph; default `limits.keptRejections`. */
  readonly keptRejections?: number;
  /** Told of what was degraded or passed over; the default writes a line on stderr. */
  readonly warn?: (message: string) => void;
  /** The line format of a JSONL file that does not exist yet; default `memory`. */
  readonly newFileFormat?: 'memory' | 'mesh';
}

export function warnOnStderr(message: string): void {
  process.stderr.write(`trellis: ${message}\n`);
}
