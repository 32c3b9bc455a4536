import type { z } from 'zod';
import type { Settings } from '../../config/settings.js';
import type { Store } from '../../store/store-contract.js';
import type { CommonOptions } from '../command-options.js';
import { withGraph } from '../history/with-graph.js';

export type ToolArguments = Readonly<Record<string, unknown>>;

/** The tools of a graph, in this process or on a server. */
export interface GraphTools {
  readonly graph: string;
  /** @param shape What of the answer is used; it may contain more. */
  call<T>(tool: string, args: ToolArguments, shape: z.ZodType<T>): Promise<T>;
}

export interface ToolUse {
  /** A local store and its default graph are created if they do not exist. */
  readonly writes?: boolean;
}

/** Uses the server that `--url` names, or else the configured store as the local user. */
export async function withGraphTools<T>(
  options: CommonOptions,
  work: (tools: GraphTools) => Promise<T>,
  use: ToolUse = {},
): Promise<T> {
  if (options.url !== undefined) {
    const { connectGraph } = await import('./remote-graph.js');
    return work(await connectGraph(options.url, options));
  }
  const { withLocalTools } = await import('./local-tools.js');
  return withLocalTools(options, use, work);
}

/** For commands that can do more on a local store than its routes offer. */
export function withStoreOrServer<T>(
  options: CommonOptions,
  work: {
    store(store: Store, graph: string, settings: Settings): Promise<T>;
    server(tools: GraphTools): Promise<T>;
  },
): Promise<T> {
  return options.url === undefined ? withGraph(options, work.store) : withGraphTools(options, work.server);
}
