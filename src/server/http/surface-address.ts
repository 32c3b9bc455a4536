import type { HonoRequest } from 'hono';
import { TrellisError } from '../../model/error.js';
import { mainBranch } from '../../model/graph-record.js';
import type { Surface } from '../../surfaces/surface.js';

/** The graph `''` is the server as a whole. */
export interface SurfaceAddress {
  readonly graph: string;
  readonly branch: string;
  readonly surface: string | Surface;
  readonly withServer?: boolean;
}

export const branchHeader = 'X-Trellis-Branch';

export const workspaceHeader = 'X-Memory-Workspace';

export function workspaceInHeader(request: HonoRequest): string | undefined {
  const workspace = request.header(workspaceHeader);
  if (workspace === undefined || workspace.trim() !== '') return workspace;
  throw new TrellisError('INVALID_ARGUMENT', `${workspaceHeader} is empty.`, {
    hint: 'Name the workspace, or leave the header out.',
  });
}

/** The header must not name another graph. */
export function graphInPath(request: HonoRequest): string {
  const graph = request.param('graph') ?? '';
  const workspace = workspaceInHeader(request);
  if (workspace === undefined || workspace === graph) return graph;
  throw conflictingNames('graph', `the path says ${JSON.stringify(graph)}`, workspaceHeader, workspace);
}

/** A branch in the query string is an argument and may not exist yet; it must not contradict the header. */
export function surfaceAddressOf(request: HonoRequest): SurfaceAddress {
  branchInRequest(request);
  return {
    graph: graphInPath(request),
    branch: request.header(branchHeader) ?? mainBranch,
    surface: 'graph',
  };
}

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
