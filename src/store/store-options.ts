import type { Clock, Ids } from '../model/clock.js';
import type { CompileGraphSchema } from './write-validator.js';

export interface StoreOptions {
  readonly clock?: Clock;
  readonly ids?: Ids;
  /** Holds writes against the schema of their graph; without it, a graph that has one cannot be written. */
  readonly guards?: CompileGraphSchema;
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
