import { TrellisError } from '../../../model/error.js';
import { plainGraphSurface } from '../../../surfaces/graph/graph-surface.js';
import type { Tool } from '../../../surfaces/tool.js';

/** The tool behind a route, as every graph has it. */
export function routeTool(name: string): Tool {
  const { tools, routeOnlyTools = [] } = plainGraphSurface;
  const tool = [...tools, ...routeOnlyTools].find((one) => one.name === name);
  if (tool === undefined) throw new TrellisError('INTERNAL', `A route names an unknown tool: ${name}.`);
  return tool;
}
