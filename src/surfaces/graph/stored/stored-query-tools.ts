import { atLeastOne, type PermissionCheck } from '../../../access/permission.js';
import { TrellisError } from '../../../model/error.js';
import type { StoredQueries } from '../../../query/stored/stored-queries.js';
import type { SurfaceSettings } from '../../surface.js';
import type { Tool } from '../../tool.js';
import type { QuerySettings } from '../query-settings.js';
import { serverTools } from '../server-surface.js';
import { storedQueryPermissions } from './run-stored-query.js';
import { storedQueryList } from './stored-query-list-tools.js';
import { storedQueryRun } from './stored-query-run-tools.js';
import { storedQueryTool } from './stored-query-tool.js';
import { toolNameHint, toolNameProblems } from './tool-name-problems.js';

/** With more than this, a list of tools would be too long to be read at every start. */
const maxSeparateTools = 24;

interface StoredQueryToolsOptions {
  /** The tools that the surface has anyway. */
  readonly tools: readonly Tool[];
  readonly means: QuerySettings;
  readonly as: SurfaceSettings['storedQueryTools'];
}

interface StoredQueryToolSet {
  readonly tools: readonly Tool[];
  /** Whether a tool is worth listing to whoever may do so much: the pair only if there is a query that they may run. */
  offers(tool: Tool, may: PermissionCheck): boolean;
}

/** The stored queries of a graph as tools: one for each, or two that list and run them. */
export function buildStoredQueryTools(
  queries: StoredQueries,
  { tools, means, as = 'auto' }: StoredQueryToolsOptions,
): StoredQueryToolSet {
  const { exposed } = queries;
  const reserved = reservedTools(queries, tools, means);
  checkNames(queries, reserved);
  const pair = reserved.slice(-2);
  const isPair = as === 'pair' || (as === 'auto' && exposed.length > maxSeparateTools);
  if (!isPair) return { tools: exposed.map((query) => storedQueryTool(query, means)), offers: () => true };
  return {
    tools: exposed.length === 0 ? [] : pair,
    offers: (tool, may) =>
      !pair.includes(tool) || exposed.some((query) => may(storedQueryPermissions(query, atLeastOne))),
  };
}

/** Tools whose names no stored query can have, shown or not. */
export function reservedTools(
  queries: StoredQueries,
  tools: readonly Tool[],
  means: QuerySettings,
): readonly Tool[] {
  return [...serverTools, ...tools, storedQueryList(queries.exposed), storedQueryRun(queries, means)];
}

function checkNames({ exposed }: StoredQueries, tools: readonly Tool[]): void {
  const [problem] = toolNameProblems(exposed, tools);
  if (problem !== undefined) throw new TrellisError('CONFIG_INVALID', problem, { hint: toolNameHint });
}
