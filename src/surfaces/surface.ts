import type { Action, atLeastOne } from '../access/permission.js';
import type { Graph } from '../engine/graph.js';
import type { GateSettings } from '../gate/gate-settings.js';
import type { LlmSettings } from '../llm/llm-settings.js';
import type { TrellisError } from '../model/error.js';
import type { StoredQuerySettings } from '../query/stored/stored-query.js';
import type { EmbedderSettings } from '../search/embedders/open-embedder.js';
import type { Perspective } from '../search/perspectives.js';
import type { Store } from '../store/store-contract.js';
import type { CallContext } from './call-context.js';
import type { RequestContext } from './request-context.js';
import type { Tool, ToolOutput } from './tool.js';

/** What the content of a resource depends on: all that a branch holds, or less. */
export type ResourceDependency = 'commits' | 'schema' | 'branches' | 'graphs';

/** Something an agent can read by address. */
export interface Resource {
  readonly uri: string;
  /** Other addresses it is read by, which no list shows. */
  readonly aliases?: readonly string[];
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  /** What reading it needs to be allowed. */
  readonly action: Action;
  /** Given if it is about no single branch. */
  readonly branch?: typeof atLeastOne;
  /** What its content changes with; left out, with every commit on its branch. */
  readonly changesWith?: ResourceDependency;
  /** Given if it may be too long for one answer: it is then read in pages, at its address with `?cursor=` and a cursor. */
  readonly isPaged?: true;
  /** @param cursor Where to begin, in a resource that is read in pages. */
  read(call: CallContext, cursor?: string): Promise<string>;
}

/** What a tool answers that failed; data only where its output schema knows of failures. */
export interface ToolFailure extends Pick<ToolOutput, 'text' | 'isError'> {
  readonly structured?: ToolOutput['structured'];
}

/** A text an agent's user can ask for by name. */
export interface McpPrompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  text(): string;
}

/** The set of tools an agent is shown on a graph, with what goes along. */
export interface Surface {
  readonly name: string;
  /** What the server calls itself towards clients. */
  readonly serverName: string;
  readonly title: string;
  readonly instructions: string;
  /** Asked anew for each request, since a surface made from files changes with them; always in the same order. */
  readonly tools: readonly Tool[];
  /** Tools that plain HTTP has and MCP has not. */
  readonly routeOnlyTools?: readonly Tool[];
  /** Whether MCP offers a tool, besides what the tool itself needs to be allowed; left out, it always does. */
  offers?(tool: Tool, context: Pick<RequestContext, 'actor' | 'may'>): boolean;
  readonly resources: readonly Resource[];
  readonly prompts: readonly McpPrompt[];
  /** Whether the gate's registry is kept from it: what agents know is no place for the rules about it. */
  readonly hidesRegistry?: boolean;
  /** Calls `listener` whenever the list of tools has changed; absent if it never does. Answers how to stop that. */
  onToolsChanged?(listener: () => void): () => void;
  /** What a tool answers that failed; left out, the message and what to do next. */
  failure?(error: TrellisError, tool: string): ToolFailure;
  /** Lets go of what opening it took. */
  close?(): Promise<void>;
}

/** How stored queries are shown as tools: one each, the pair that lists and runs them, or whichever is shorter. */
export const storedQueryTools = ['auto', 'each', 'pair'] as const;

/** Bounds of one graph, where they differ from those of its server. */
export interface GraphLimits {
  /** Rows in one answer of a query. */
  readonly rows?: number | undefined;
  /** Milliseconds that a tool which only reads may take. */
  readonly readMs?: number | undefined;
  /** Hops of a neighbourhood. */
  readonly depth?: number | undefined;
}

/** What surfaces are made from, besides the graph. */
export interface SurfaceSettings {
  /** The `.pg` file that an empty graph gets its schema from. */
  readonly schema?: string | undefined;
  readonly queries?: readonly StoredQuerySettings[] | undefined;
  /** Whether queries that are not stored are tools too; left out, for the local user alone. */
  readonly allowAdhoc?: boolean | undefined;
  /** Default: `auto`. */
  readonly storedQueryTools?: (typeof storedQueryTools)[number] | undefined;
  readonly limits?: GraphLimits | undefined;
  /** The folder of `.schema.json` files that the mesh surface makes tools of. */
  readonly schemas?: string | undefined;
  /** How the gate surface judges what it is given. */
  readonly gate?: GateSettings | undefined;
  /** What texts are searched by meaning with; left out, the local embedder. */
  readonly embedding?: EmbedderSettings | undefined;
  /** From which perspectives texts are embedded; left out, the usual ones. */
  readonly perspectives?: readonly Perspective[] | undefined;
  /** Who drafts the summaries and reasons of a consolidation report; left out, nobody. */
  readonly llm?: LlmSettings | undefined;
}

/** What a surface is opened on. */
export interface SurfaceContext {
  readonly store: Store;
  readonly graph: Graph;
  readonly settings: SurfaceSettings;
  /** Told of what was degraded or passed over. */
  readonly warn: (message: string) => void;
  /** Told of each write that was not let in, by its error code. */
  readonly rejected?: (code: string) => void;
}

/** A surface that is not open yet. */
export interface SurfaceFactory {
  readonly name: string;
  open(context: SurfaceContext): Promise<Surface>;
}
