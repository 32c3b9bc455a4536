import { Graph, type WritableGraph } from '../../src/engine/graph.js';
import { runIngest } from '../../src/ingest/run-ingest.js';
import { executeMutation } from '../../src/query/execute-mutation.js';
import { executeQuery } from '../../src/query/execute-query.js';
import type { Store } from '../../src/store/store-contract.js';

const author = { actor: 'ann', tool: 'test' };
const clock = () => Date.UTC(2026, 0, 31);

/** A graph with a schema and data, for tests that ask it in the query language. */
export class AskedGraph {
  readonly graph: Graph;
  readonly #store: Store;
  readonly #target: WritableGraph = { commit: (work) => this.graph.commit(author, work) };

  constructor(store: Store, name = 'default') {
    this.#store = store;
    this.graph = new Graph(store, name);
  }

  async fill(schema: string | null, lines: readonly object[]): Promise<void> {
    if (schema !== null) {
      await this.#store.write({ graph: this.graph.name }, author, (writer) => writer.setSchema(schema));
    }
    const ndjson = lines.map((line) => JSON.stringify(line)).join('\n');
    await runIngest(this.#target, [Buffer.from(ndjson)], { mode: 'merge', maxBytes: 10_000_000 });
  }

  /** The rows of `query q(…) { … }`, given what follows the name. */
  async rows(query: string, params: object = {}): Promise<readonly (readonly unknown[])[]> {
    return (await this.read(query, params)).rows;
  }

  async columns(query: string): Promise<readonly string[]> {
    return (await this.read(query, {})).columns;
  }

  read(query: string, params: object) {
    return this.source(`query q${query}`, params);
  }

  source(text: string, params: object = {}) {
    return executeQuery(this.graph, { source: { text }, params }, { clock, embed: null });
  }

  mutate(query: string, params: object = {}) {
    return executeMutation(this.#target, { source: { text: `query q${query}` }, params }, clock);
  }
}
