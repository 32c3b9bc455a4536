import type { Clock, Ids } from '../model/clock.js';
import type { CompiledGraphSchema } from './write-validator.js';

export interface StoreOptions {
  readonly clock?: Clock;
  readonly ids?: Ids;
  /** Throws if the source is not a valid schema. Without it, a graph that has a schema cannot be written. */
  readonly compileGraphSchema?: (source: string) => Promise<CompiledGraphSchema>;
  readonly keptRejections?: number;
  /** Whether to start a process for long reads when `expectQueries` is called, and not when the first arrives: for servers. */
  readonly startsReadersEarly?: boolean;
  /** Receives warnings; default: stderr. */
  readonly warn?: (message: string) => void;
  /** The format of a JSONL file that does not exist yet; default `memory`. */
  readonly newFileFormat?: 'memory' | 'mesh';
}

export function warnOnStderr(message: string): void {
  process.stderr.write(`trellis: ${message}\n`);
}
