import { atLeastOne, type PermissionCheck } from '../../../access/permission.js';
import { TrellisError } from '../../../model/error.js';
import type { StoredQueries } from '../../../query/stored/stored-queries.js';
import type { SurfaceSettings } from '../../surface.js';
import type { Tool } from '../../tool.js';
import type { QuerySettings } from '../graph-query-shapes.js';
import { serverTools } from '../server-surface.js';
import { storedQueryPermissions } from './run-stored-query.js';
import { storedQueryList } from './stored-query-list-tools.js';
import { storedQueryRun } from './stored-query-run-tools.js';
import { storedQueryTool } from './stored-query-tool.js';
import { toolNameHint, toolNameProblems } from './tool-name-problems.js';

/** A longer list would burden every start of an agent. */
const maxSeparateTools = 24;

interface StoredQueryToolsOptions {
  /** The other tools of the surface. */
  readonly tools: readonly Tool[];
  readonly settings: QuerySettings;
  readonly as: SurfaceSettings['storedQueryTools'];
}

interface StoredQueryToolSet {
  readonly tools: readonly Tool[];
  /** The pair is offered only if the caller may run some query. */
  offers(tool: Tool, may: PermissionCheck): boolean;
}

export function buildStoredQueryTools(
  queries: StoredQueries,
  { tools, settings, as = 'auto' }: StoredQueryToolsOptions,
): StoredQueryToolSet {
  const { exposed } = queries;
  const reserved = reservedTools(queries, tools, settings);
  checkNames(queries, reserved);
  const pair = reserved.slice(-2);
  const isPair = as === 'pair' || (as === 'auto' && exposed.length > maxSeparateTools);
  if (!isPair) return { tools: exposed.map((query) => storedQueryTool(query, settings)), offers: () => true };
  return {
    tools: exposed.length === 0 ? [] : pair,
    offers: (tool, may) =>
      !pair.includes(tool) || exposed.some((query) => may(storedQueryPermissions(query, atLeastOne))),
  };
}

/** Stored queries cannot have their names, whether they are listed or not. */
export function reservedTools(
  queries: StoredQueries,
  tools: readonly Tool[],
  settings: QuerySettings,
): readonly Tool[] {
  return [...serverTools, ...tools, storedQueryList(queries.exposed), storedQueryRun(queries, settings)];
}

function checkNames({ exposed }: StoredQueries, tools: readonly Tool[]): void {
  const [problem] = toolNameProblems(exposed, tools);
  if (problem !== undefined) throw new TrellisError('CONFIG_INVALID', problem, { hint: toolNameHint });
}
