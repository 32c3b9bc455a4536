import type { Graph } from '../../../engine/graph.js';
import { asTrellisError } from '../../../model/error.js';
import type { Branch } from '../../../model/graph-record.js';
import type { NodeId } from '../../../model/node.js';
import { type EmbeddedProperty, embeddedPropertyName } from '../../../schema/graph/embedded-properties.js';
import type { Store } from '../../../store/store-contract.js';
import type { Embedder } from '../../embedders/embedder.js';
import { BackgroundWork } from '../background-work.js';

interface PropertyEmbedderOptions {
  readonly store: Store;
  /** Opened when the first schema needs it. */
  readonly embedder: () => Promise<Embedder | null>;
  /** Called with errors, which are retried, and once for each property that cannot be filled. */
  readonly report?: (problem: string) => void;
  /** How long to wait after a write for more writes. */
  readonly pauseMs?: number;
  readonly retryMs?: number;
}

/** The state of a branch when all its vectors existed. */
interface CompleteBranch {
  readonly head: string;
  readonly schema: string | null;
}

/**
 * Fills the vectors that `@embed` defines, some time after the write: no write waits for it. Checks the whole branch at
 * first and when its schema changes, and afterwards only what was touched.
 */
export class PropertyEmbedder {
  readonly #options: PropertyEmbedderOptions;
  readonly #waiting = new Map<string, Graph>();
  readonly #complete = new Map<string, CompleteBranch>();
  readonly #reported = new Set<string>();
  /** Properties that this process has begun to fill, by graph. */
  readonly #claimed = new Set<string>();
  readonly #work = new BackgroundWork(() => this.#fillWaiting());

  constructor(options: PropertyEmbedderOptions) {
    this.#options = options;
  }

  /** Call when a graph is opened, and after each write to one of its branches. */
  wake(graph: Graph): void {
    this.#waiting.set(graph.name, graph);
    this.#work.scheduleWithin(this.#options.pauseMs ?? 100);
  }

  /** Resolves when nothing is running or scheduled. */
  idle(): Promise<void> {
    return this.#work.idle();
  }

  /** Waits for the current batch. */
  close(): Promise<void> {
    return this.#work.close();
  }

  /** Returns when to run again in milliseconds, null if nothing is pending. */
  async #fillWaiting(): Promise<number | null> {
    const { report, pauseMs = 100, retryMs = 10_000 } = this.#options;
    for (const [name, graph] of [...this.#waiting]) {
      if (this.#work.closed) return null;
      this.#waiting.delete(name);
      try {
        await this.#fill(graph);
      } catch (thrown) {
        const error = asTrellisError(thrown);
        // The graph or branch was deleted, or the store closed.
        if (goneCodes.has(error.code)) continue;
        this.#waiting.set(name, graph);
        // Another process, which may write, fills them.
        if (error.code !== 'STORE_READ_ONLY') report?.(`Embedding is delayed: ${error.message}`);
        return retryMs;
      }
    }
    return this.#waiting.size > 0 ? pauseMs : null;
  }

  async #fill(graph: Graph): Promise<void> {
    for (const branch of await this.#options.store.branches(graph.name)) {
      if (this.#work.closed) return;
      await this.#fillBranch(graph.withBranch(branch.name), branch);
    }
  }

  async #fillBranch(graph: Graph, { id, headCommit: head }: Branch): Promise<void> {
    const key = JSON.stringify([graph.name, id]);
    const before = this.#complete.get(key);
    if (head === null || before?.head === head) return;
    const schema = await graph.read((reader) => reader.schema());
    if (schema !== null) await this.#fillBy(schema, graph, head, before);
    if (!this.#work.closed) this.#complete.set(key, { head, schema });
  }

  async #fillBy(
    schema: string,
    graph: Graph,
    head: string,
    before: CompleteBranch | undefined,
  ): Promise<void> {
    const { parseEmbeddedProperties } = await import('./parse-embedded-properties.js');
    const asked = await parseEmbeddedProperties(schema);
    if (asked.length === 0) return;
    const embedder = await this.#options.embedder();
    const { matchDimensions } = await import('./match-dimensions.js');
    const { matching, mismatches } = await matchDimensions(asked, embedder);
    this.#reportOnce(mismatches);
    if (embedder === null || matching.length === 0) return;
    const properties = await this.#ours(graph.name, embedder, matching);
    if (properties.length === 0) return;
    const work = { graph, embedder, properties, stopped: () => this.#work.closed };
    const nodes = before?.schema === schema ? await this.#touched(graph, before.head, head) : undefined;
    const { dropForeignVectors, dropRestoredVectors } = await import('./drop-foreign-vectors.js');
    if (before !== undefined && nodes !== undefined) {
      await dropRestoredVectors({ ...work, nodes, since: before.head });
    } else {
      await dropForeignVectors({ ...work, store: this.#options.store, graph: graph.name });
      for (const property of properties) this.#claimed.add(claimOf(graph.name, property));
    }
    const { embedProperties } = await import('./embed-properties.js');
    await embedProperties({ ...work, nodes });
  }

  /** Without those that another process has begun to fill with another model since: the last one to start fills them. */
  async #ours(
    graph: string,
    embedder: Embedder,
    properties: readonly EmbeddedProperty[],
  ): Promise<readonly EmbeddedProperty[]> {
    const models = await this.#options.store.vectors?.propertyModels(graph);
    const takenBy = (property: EmbeddedProperty) => {
      const model = models?.get(embeddedPropertyName(property));
      return this.#claimed.has(claimOf(graph, property)) && model !== embedder.id ? model : undefined;
    };
    this.#reportOnce(
      properties.flatMap((property) => {
        const model = takenBy(property);
        return model === undefined ? [] : [takenMessage(graph, property, model, embedder)];
      }),
    );
    return properties.filter((property) => takenBy(property) === undefined);
  }

  /** The nodes written between two commits; undefined if the older one was garbage-collected. */
  async #touched(graph: Graph, before: string, head: string): Promise<readonly NodeId[] | undefined> {
    const { store } = this.#options;
    try {
      const target = { graph: graph.name, branch: graph.branch, commit: before };
      return (await store.read(target, (reader) => reader.unseen(head))).touched.nodes;
    } catch (error) {
      if (asTrellisError(error).code === 'COMMIT_COLLECTED') return undefined;
      throw error;
    }
  }

  #reportOnce(mismatches: readonly string[]): void {
    for (const mismatch of mismatches) {
      if (this.#reported.has(mismatch)) continue;
      this.#reported.add(mismatch);
      this.#options.report?.(mismatch);
    }
  }
}

function claimOf(graph: string, property: EmbeddedProperty): string {
  return JSON.stringify([graph, embeddedPropertyName(property)]);
}

function takenMessage(graph: string, property: EmbeddedProperty, model: string, { id }: Embedder): string {
  return `${embeddedPropertyName(property)} of ${graph} is now filled with ${model} by another process, so this one no longer fills it with ${id}. Configure the same embedder for both, and start this one again.`;
}

const goneCodes: ReadonlySet<string> = new Set(['GRAPH_NOT_FOUND', 'BRANCH_NOT_FOUND', 'STOPPED']);
