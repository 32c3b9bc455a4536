import { TimeSlice } from '../bounds/time-slice.js';
import type { GraphSchema } from '../schema/graph/graph-schema.js';
import { type BatchOptions, IngestBatch } from './ingest-batch.js';
import { type IngestLine, parseIngestLine } from './parse-ingest-line.js';
import type { NumberedLine } from './read-ingest-lines.js';
import { TextSpool } from './text-spool.js';

interface ResolvedLines {
  readonly source: string | null;
  readonly batch: IngestBatch;
}

/**
 * Lines, and the nodes and edges that they mean under the graph schema that the write is expected to find: resolving them
 * before it begins keeps others waiting for less. They are kept as they came too, in case the schema changes meanwhile.
 */
export class LineBatch {
  readonly #options: Omit<BatchOptions, 'schema'>;
  readonly #lines = new TextSpool();
  #resolved: ResolvedLines | undefined;

  constructor(options: Omit<BatchOptions, 'schema'>) {
    this.#options = options;
  }

  /** Called before the first line, if the schema is known. */
  async expect(source: string | null): Promise<void> {
    this.#resolved = { source, batch: await this.#newBatch(source) };
  }

  add({ number, text }: NumberedLine, line: IngestLine): void {
    this.#lines.push(`${number} ${text}`);
    this.#resolved?.batch.add(line);
  }

  /** Refuses lines that must not be merged, as far as the schema is known. */
  check(): void {
    this.#resolved?.batch.check();
  }

  /** Leaves the lines to the write if this is not the schema any more under which they are resolved. */
  forgetOutdated(source: string | null): boolean {
    if (this.#resolved === undefined || this.#resolved.source === source) return false;
    this.#resolved.batch.dispose();
    this.#resolved = undefined;
    return true;
  }

  /** What the lines mean under the schema of the write. */
  async under(source: string | null): Promise<IngestBatch> {
    if (this.#resolved?.source === source) return this.#resolved.batch;
    this.#resolved?.batch.dispose();
    const batch = await this.#newBatch(source);
    this.#resolved = { source, batch };
    const slice = new TimeSlice();
    for (const line of this.#lines) {
      const space = line.indexOf(' ');
      batch.add(parseIngestLine({ number: Number(line.slice(0, space)), text: line.slice(space + 1) }));
      if (slice.isOver) await slice.yieldToOthers();
    }
    batch.check();
    return batch;
  }

  dispose(): void {
    this.#lines.dispose();
    this.#resolved?.batch.dispose();
  }

  async #newBatch(source: string | null): Promise<IngestBatch> {
    return new IngestBatch({ ...this.#options, schema: await parsed(source) });
  }
}

async function parsed(source: string | null): Promise<GraphSchema | null> {
  if (source === null) return null;
  return (await import('../schema/enforce/graph-schema-cache.js')).cachedGraphSchema(source);
}
