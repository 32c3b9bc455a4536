import { atLeastOne, type PermissionCheck } from '../../../access/permission.js';
import { TrellisError } from '../../../model/error.js';
import type { StoredQueries } from '../../../query/stored/stored-queries.js';
import type { SurfaceSettings } from '../../surface.js';
import type { Tool } from '../../tool.js';
import type { QueryMeans } from '../query-means.js';
import { serverTools } from '../server-surface.js';
import { storedQueryRun } from './call-stored.js';
import { storedQueryList } from './list-stored.js';
import { neededFor } from './run-stored.js';
import { storedQueryTool } from './stored-query-tool.js';
import { toolNameHint, toolNameProblems } from './tool-names.js';

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
  offers(tool: Tool, may: PermissionCheck): boolean;
}

/** The stored queries of a graph as tools: one for each, or two that list and run them. */
export function storedTools(
  queries: StoredQueries,
  { tools, means, as = 'auto' }: StoredToolsOptions,
): StoredTools {
  const { exposed } = queries;
  const reserved = reservedTools(queries, tools, means);
  checkNames(queries, reserved);
  const pair = reserved.slice(-2);
  const isPair = as === 'pair' || (as === 'auto' && exposed.length > mostAsTools);
  if (!isPair) return { tools: exposed.map((query) => storedQueryTool(query, means)), offers: () => true };
  return {
    tools: exposed.length === 0 ? [] : pair,
    offers: (tool, may) => !pair.includes(tool) || exposed.some((query) => may(neededFor(query, atLeastOne))),
  };
}

/** Tools whose names no stored query can have, shown or not. */
export function reservedTools(
  queries: StoredQueries,
  tools: readonly Tool[],
  means: QueryMeans,
): readonly Tool[] {
  return [...serverTools, ...tools, storedQueryList(queries.exposed), storedQueryRun(queries, means)];
}

function checkNames({ exposed }: StoredQueries, tools: readonly Tool[]): void {
  const [problem] = toolNameProblems(exposed, tools);
  if (problem !== undefined) throw new TrellisError('CONFIG_INVALID', problem, { hint: toolNameHint });
}
