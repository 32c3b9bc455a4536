import type { Reader } from '../../../src/store/reader.js';
import type { Capabilities, Store } from '../../../src/store/store-contract.js';
import type { StoreOptions } from '../../../src/store/store-options.js';
import type { WriteResult } from '../../../src/store/write-result.js';
import type { Writer } from '../../../src/store/writer.js';
import { seen } from './graph-by-name.js';
import { compileToySchema } from './toy-schema.js';

/** Where a store under test lives: opening it twice opens the same store. */
export interface Place {
  open(options: StoreOptions): Promise<Store>;
  /** The tables that hold rows of the graph with this id, asked of the database itself. */
  tablesWith?(graph: number): Promise<string[]>;
  remove(): Promise<void>;
}

/** How the suite gets at a kind of store. */
export interface StoreUnderTest {
  readonly name: string;
  readonly capabilities: Capabilities;
  /** Whether a write can be made while a read is under way: rows in memory and PGlite have a single connection. */
  readonly concurrent: boolean;
  place(): Promise<Place>;
}

export const author = { actor: 'ann', tool: 'test' };
export const main = { graph: 'default' };
/** Few, so that tests need not make thousands. */
export const keptRejections = 50;

/** A fresh store for each test, with a clock the test can move. */
export class StoreContext {
  readonly kind: StoreUnderTest;
  now = 0;
  #place: Place | undefined;
  #store: Store | undefined;

  constructor(kind: StoreUnderTest) {
    this.kind = kind;
  }

  get store(): Store {
    if (this.#store === undefined) throw new Error('The store is not open.');
    return this.#store;
  }

  async open(): Promise<void> {
    this.now = Date.UTC(2026, 0, 1);
    this.#place = await this.kind.place();
    await this.#openAgain();
  }

  async reopen(): Promise<void> {
    await this.store.close();
    await this.#openAgain();
  }

  /** The same store, opened once more, as another process would; closed by whoever asked for it. */
  async another(): Promise<Store> {
    if (this.#place === undefined) throw new Error('The store is not open.');
    return this.#place.open({
      clock: () => this.now,
      warn: () => {},
      keptRejections,
      compileGraphSchema: compileToySchema,
    });
  }

  async close(): Promise<void> {
    await this.store.close();
    await this.#place?.remove();
  }

  readonly write = <T>(work: (writer: Writer) => Promise<T>, branch?: string): Promise<WriteResult<T>> =>
    this.store.write({ ...main, branch }, author, work);

  readonly read = <T>(work: (reader: Reader) => Promise<T>, branch?: string, commit?: string): Promise<T> =>
    this.store.read({ ...main, branch, commit }, work);

  /** The same place opened once more, by somebody who knows no schemas. */
  async openAnother(): Promise<Store> {
    if (this.#place === undefined) throw new Error('The store is not open.');
    return this.#place.open({ clock: () => this.now, warn: () => {} });
  }

  async tablesWith(graph: number): Promise<string[]> {
    if (this.#place?.tablesWith === undefined) throw new Error('The place cannot tell.');
    return this.#place.tablesWith(graph);
  }

  /** Everything there is to see. */
  readonly look = (branch?: string, commit?: string) => this.read(seen, branch, commit);

  async #openAgain(): Promise<void> {
    this.#store = await this.another();
    const graphs = await this.store.graphs();
    if (!graphs.some((graph) => graph.name === main.graph)) await this.store.createGraph(main.graph);
  }
}
