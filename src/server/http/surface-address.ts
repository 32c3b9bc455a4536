import type { HonoRequest } from 'hono';
import { TrellisError } from '../../model/error.js';
import { mainBranch } from '../../model/graph-record.js';
import type { Surface } from '../../surfaces/surface.js';

/** A surface on a branch of a graph. The graph `''` is the server as a whole. */
export interface SurfaceAddress {
  readonly graph: string;
  readonly branch: string;
  readonly surface: string | Surface;
  /** Adds the tools and resources of the server as a whole. */
  readonly withServer?: boolean;
}

/** The header that binds a request to a branch. */
export const branchHeader = 'X-Trellis-Branch';

/** The header that binds a request to a graph. */
export const workspaceHeader = 'X-Memory-Workspace';

/** The graph that the header of a request names, if it has one. */
export function workspaceInHeader(request: HonoRequest): string | undefined {
  const workspace = request.header(workspaceHeader);
  if (workspace === undefined || workspace.trim() !== '') return workspace;
  throw new TrellisError('INVALID_ARGUMENT', `${workspaceHeader} is empty.`, {
    hint: 'Name the workspace, or leave the header out.',
  });
}

/** The graph in the path of a request, whose header must not name another. */
export function graphInPath(request: HonoRequest): string {
  const graph = request.param('graph') ?? '';
  const workspace = workspaceInHeader(request);
  if (workspace === undefined || workspace === graph) return graph;
  throw conflictingNames('graph', `the path says ${JSON.stringify(graph)}`, workspaceHeader, workspace);
}

/**
 * What a route below `/graphs/:graph` is about, unless its arguments name another branch. A branch in the query string is
 * such an argument, and may not exist yet; it must not contradict the header.
 */
export function surfaceAddressOf(request: HonoRequest): SurfaceAddress {
  branchInRequest(request);
  return {
    graph: graphInPath(request),
    branch: request.header(branchHeader) ?? mainBranch,
    surface: 'graph',
  };
}

/** The branch that the address of a request, its header or both name. */
export function branchInRequest(request: HonoRequest): string | undefined {
  const [inAddress, inHeader] = [request.query('branch'), request.header(branchHeader)];
  if (inAddress === undefined || inHeader === undefined || inAddress === inHeader)
    return inAddress ?? inHeader;
  throw conflictingNames('branch', `the address says ${JSON.stringify(inAddress)}`, branchHeader, inHeader);
}

function conflictingNames(what: string, said: string, header: string, value: string): TrellisError {
  return new TrellisError(
    'INVALID_ARGUMENT',
    `The request names two ${what === 'graph' ? 'graphs' : 'branches'}: ${said}, and ${header} says ${JSON.stringify(value)}.`,
    { hint: `Nothing was done. Name one ${what}, or the same one twice.` },
  );
}
