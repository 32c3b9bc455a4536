import type { Action, atLeastOne } from '../access/permission.js';
import type { Graph } from '../engine/graph.js';
import type { GateSettings } from '../gate/gate-settings.js';
import type { RefusedWrite } from '../gate/refused-write.js';
import type { LlmSettings } from '../llm/llm-settings.js';
import { TrellisError } from '../model/error.js';
import type { StoredQuerySettings } from '../query/stored/stored-query.js';
import type { EmbedderSettings } from '../search/embedders/open-embedder.js';
import type { Perspective } from '../search/perspectives.js';
import type { RerankSettings } from '../search/rerank/rerank-settings.js';
import type { Store } from '../store/store-contract.js';
import type { CallContext } from './call-context.js';
import type { RequestContext } from './request-context.js';
import type { Tool, ToolOutput } from './tool.js';

/** What a resource changes with. */
export type ResourceDependency = 'commits' | 'schema' | 'branches' | 'graphs';

export interface Resource {
  readonly uri: string;
  /** Other addresses that work but are not listed. */
  readonly aliases?: readonly string[];
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  readonly action: Action;
  /** Set if it is not about a single branch. */
  readonly branch?: typeof atLeastOne;
  /** Default: every commit on its branch. */
  readonly changesWith?: ResourceDependency;
  /** Read in pages, at its address with `?cursor=` and a cursor. */
  readonly isPaged?: true;
  read(call: CallContext, cursor?: string): Promise<string>;
}

/** `structured` only if the output schema covers failures. */
export interface ToolFailure extends Pick<ToolOutput, 'text' | 'isError'> {
  readonly structured?: ToolOutput['structured'];
}

export interface McpPrompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  text(): string;
}

export interface Surface {
  readonly name: string;
  /** The name that clients see in the handshake. */
  readonly serverName: string;
  readonly title: string;
  readonly instructions: string;
  /** Read anew for each request, since files may change them; always in the same order. */
  readonly tools: readonly Tool[];
  /** Callable and readable, but not listed. */
  readonly unlisted?: { readonly tools: readonly Tool[]; readonly resources: readonly Resource[] };
  /** Reachable over plain HTTP only. */
  readonly routeOnlyTools?: readonly Tool[];
  /** Whether MCP lists a tool that the caller may use; default: always. */
  offers?(tool: Tool, context: Pick<RequestContext, 'actor' | 'may'>): boolean;
  readonly resources: readonly Resource[];
  readonly prompts: readonly McpPrompt[];
  /** Whether the nodes of the gate registry are hidden. */
  readonly hidesRegistry?: boolean;
  /** Absent if the tools never change. Returns a function that removes the listener. */
  onToolsChanged?(listener: () => void): () => void;
  /** Default: the message and the hint. */
  failure?(error: TrellisError, tool: string): ToolFailure;
  close?(): Promise<void>;
}

/** One tool for each query, a pair that lists and runs them, or whichever is shorter. */
export const storedQueryTools = ['auto', 'each', 'pair'] as const;

/** What `search_nodes` of memory and mesh does if nothing contains several words as they are. */
export const searchFallbacks = ['ranked', 'none'] as const;

/** Limits of one graph that differ from those of its server. */
export interface GraphLimits {
  /** Rows of one query. */
  readonly rows?: number | undefined;
  /** How long a read may take, in milliseconds. */
  readonly readMs?: number | undefined;
  readonly depth?: number | undefined;
}

export interface SurfaceSettings {
  /** The `.pg` file for a graph without a schema. */
  readonly schema?: string | undefined;
  readonly queries?: readonly StoredQuerySettings[] | undefined;
  /** Default: only for the local user. */
  readonly allowAdhoc?: boolean | undefined;
  /** Default: `auto`. */
  readonly storedQueryTools?: (typeof storedQueryTools)[number] | undefined;
  /** Default: `ranked`. */
  readonly searchFallback?: (typeof searchFallbacks)[number] | undefined;
  readonly limits?: GraphLimits | undefined;
  /** The folder of `.schema.json` files that become mesh tools. */
  readonly schemas?: string | undefined;
  readonly gate?: GateSettings | undefined;
  /** Default: the local embedder. */
  readonly embedding?: EmbedderSettings | undefined;
  readonly perspectives?: readonly Perspective[] | undefined;
  /** Default: none. */
  readonly rerank?: RerankSettings | undefined;
  /** Drafts the texts of a consolidation report; default: none. */
  readonly llm?: LlmSettings | undefined;
}

export interface SurfaceContext {
  readonly store: Store;
  readonly graph: Graph;
  readonly settings: SurfaceSettings;
  readonly warn: (message: string) => void;
  /** Called for each write that the gate rejects or holds. */
  readonly onRefused?: ((graph: string, refused: RefusedWrite) => void) | undefined;
}

export interface SurfaceFactory {
  readonly name: string;
  open(context: SurfaceContext): Promise<Surface>;
}

export function databaseNeeded(surface: string): TrellisError {
  return new TrellisError(
    'CAPABILITY_MISSING',
    `The ${surface} surface needs a database, not a JSON lines file.`,
    { hint: 'Import the file into a database with: trellis import FILE --store trellis.db' },
  );
}
