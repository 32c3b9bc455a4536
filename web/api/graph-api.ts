import { computed } from '@preact/signals';
import { branchName, graphName } from '../state/address.js';
import { type RequestOptions, request, send } from './request.js';
import type {
  Changes,
  Commit,
  EditResult,
  NodePage,
  NodeRef,
  NodeVersion,
  Page,
  RecentChange,
  SearchHit,
  TypeCounts,
  Undone,
} from './types.js';

const eventStream = 'text/event-stream';

type Query = NonNullable<RequestOptions['query']>;

/** The routes of one graph on one branch. Views that need more add to it with `get` and `post`. */
export class GraphApi {
  readonly graph: string;
  readonly branch: string;

  constructor(graph: string, branch: string) {
    this.graph = graph;
    this.branch = branch;
  }

  /** The branch is part of every question, unless the query says `branch: undefined`. */
  get<T>(path: readonly string[], query: Query = {}, signal?: AbortSignal): Promise<T> {
    return request('GET', this.#path(path), { query: { branch: this.branch, ...query }, signal });
  }

  /** For routes that know no branch. */
  getPlain<T>(path: readonly string[], query: Query = {}, signal?: AbortSignal): Promise<T> {
    return request('GET', this.#path(path), { query, signal });
  }

  post<T>(path: readonly string[], body: object, signal?: AbortSignal): Promise<T> {
    return request('POST', this.#path(path), { body, signal });
  }

  delete<T>(path: readonly string[]): Promise<T> {
    return request('DELETE', this.#path(path));
  }

  node({ name, type }: NodeRef, signal?: AbortSignal): Promise<NodePage> {
    return this.#aboutNode(name, [], { type, blame: true }, signal);
  }

  nodeHistory({ name, type }: NodeRef, query: Query, signal?: AbortSignal) {
    return this.#aboutNode<Page & { versions: readonly NodeVersion[] }>(
      name,
      ['history'],
      { type, ...query },
      signal,
    );
  }

  /** URLs drop the path segments . and .., which nodes may be named. */
  #aboutNode<T>(name: string, below: readonly string[], query: Query, signal?: AbortSignal): Promise<T> {
    const isDots = name === '.' || name === '..';
    return isDots
      ? this.get(['node', ...below], { name, ...query }, signal)
      : this.get(['nodes', name, ...below], query, signal);
  }

  search(query: Query, signal?: AbortSignal) {
    return this.get<Page & { hits: readonly SearchHit[]; warnings?: readonly string[] }>(
      ['search'],
      query,
      signal,
    );
  }

  types(signal?: AbortSignal): Promise<TypeCounts> {
    return this.get(['types'], {}, signal);
  }

  recent(query: Query, signal?: AbortSignal) {
    return this.get<Page & { changes: readonly RecentChange[] }>(['recent'], query, signal);
  }

  commits(query: Query, signal?: AbortSignal) {
    return this.get<Page & { commits: readonly Commit[] }>(['commits'], query, signal);
  }

  commit(id: string, signal?: AbortSignal): Promise<Commit & { readonly changes: Changes }> {
    return this.getPlain(['commits', id], {}, signal);
  }

  edit(operations: readonly object[], message?: string): Promise<EditResult> {
    return this.post(['edit'], { branch: this.branch, operations, ...(message ? { message } : {}) });
  }

  undo(commitIds: readonly string[], { dryRun = false } = {}): Promise<Undone> {
    return this.post(['undo'], { branch: this.branch, commit_ids: commitIds, dry_run: dryRun });
  }

  branches(signal?: AbortSignal): Promise<{ readonly branches: readonly string[] }> {
    return this.getPlain(['branches'], {}, signal);
  }

  /** Every commit after a cursor, as server-sent events; undefined if the server has no such stream. */
  async changeStream(
    since: string,
    signal: AbortSignal,
  ): Promise<ReadableStream<Uint8Array<ArrayBuffer>> | undefined> {
    const query = { since, branch: this.branch };
    const { body, headers } = await send('GET', this.#path(['changes']), {
      query,
      signal,
      accept: eventStream,
    });
    return headers.get('content-type')?.startsWith(eventStream) === true && body !== null ? body : undefined;
  }

  #path(path: readonly string[]): string {
    return ['graphs', this.graph, ...path].map(encodeURIComponent).join('/');
  }
}

/** The graph and branch of the current address. */
export const api = computed(() => new GraphApi(graphName.value, branchName.value));
