import { type May, some } from '../../../access/permission.js';
import { TrellisError } from '../../../model/error.js';
import type { StoredQueries } from '../../../query/registry/stored-queries.js';
import type { SurfaceSettings } from '../../surface.js';
import type { Tool } from '../../tool.js';
import type { QueryMeans } from '../query-means.js';
import { serverTools } from '../server-surface.js';
import { storedQueryRun } from './call-stored.js';
import { storedQueryList } from './list-stored.js';
import { neededFor } from './run-stored.js';
import { storedQueryTool } from './stored-query-tool.js';

/** With more than this, a list of tools would be too long to be read at every start. */
const mostAsTools = 24;

interface StoredToolsOptions {
  /** The tools that the surface has anyway. */
  readonly tools: readonly Tool[];
  readonly means: QueryMeans;
  readonly as: SurfaceSettings['storedQueryTools'];
}

interface StoredTools {
  readonly tools: readonly Tool[];
  /** Whether a tool is worth listing to whoever may do so much: the pair only if there is a query that they may run. */
  offers(tool: Tool, may: May): boolean;
}

/** The stored queries of a graph as tools: one for each, or two that list and run them. */
export function storedTools(
  queries: StoredQueries,
  { tools, means, as = 'auto' }: StoredToolsOptions,
): StoredTools {
  const { exposed } = queries;
  const pair: readonly Tool[] = [storedQueryList(exposed), storedQueryRun(queries, means)];
  checkNames(queries, [...serverTools, ...tools, ...pair]);
  const isPair = as === 'pair' || (as === 'auto' && exposed.length > mostAsTools);
  if (!isPair) return { tools: exposed.map((query) => storedQueryTool(query, means)), offers: () => true };
  return {
    tools: exposed.length === 0 ? [] : pair,
    offers: (tool, may) => !pair.includes(tool) || exposed.some((query) => may(neededFor(query, some))),
  };
}

const toolName = /^[A-Za-z0-9_-]{1,64}$/;

/** Refuses a name that no tool can have, and one that another tool has: both are named. */
function checkNames({ exposed }: StoredQueries, tools: readonly Tool[]): void {
  const taken = new Map<string, string>();
  for (const { name, aliases = [] } of tools) {
    taken.set(name, `the built-in tool ${name}`);
    for (const alias of aliases) taken.set(alias, `another name of the built-in tool ${name}, ${alias}`);
  }
  for (const query of exposed) {
    const which = `the stored query ${query.name} (${query.namedAt})`;
    if (!toolName.test(query.toolName)) {
      throw nameUnusable(`${which} cannot be a tool named ${JSON.stringify(query.toolName)}`);
    }
    const other = taken.get(query.toolName);
    if (other !== undefined) {
      throw nameUnusable(`${which} would be a tool of the same name as ${other}`);
    }
    taken.set(query.toolName, which);
  }
}

function nameUnusable(problem: string): TrellisError {
  return new TrellisError('CONFIG_INVALID', `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`, {
    hint: 'Give it another with mcp.tool_name, of 1 to 64 letters, digits, _ or -; or mcp.expose: false.',
  });
}
