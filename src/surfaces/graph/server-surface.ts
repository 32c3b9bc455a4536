import type { Surface } from '../surface.js';
import type { Tool } from '../tool.js';
import { serverGraphsList } from './server-graphs-list.js';
import { serverGraphsResource } from './server-graphs-resource.js';
import { serverHealth } from './server-health.js';

/** Their names are reserved. */
export const serverTools: readonly Tool[] = [serverHealth, serverGraphsList];

/** For endpoints without a graph. */
export const serverSurface: Surface = {
  name: 'server',
  serverName: 'trellis',
  title: 'Trellis',
  instructions:
    'A server of knowledge graphs. Each graph has its own endpoint at /graphs/{graph}/mcp; graphs_list lists those you can reach.',
  tools: serverTools,
  resources: [serverGraphsResource],
  prompts: [],
};

/** For clients that expect the tools of a server at a graph, too. */
export function withUnlistedServerTools(surface: Surface): Surface {
  return {
    ...surface,
    get tools() {
      return surface.tools;
    },
    unlisted: { tools: serverTools, resources: serverSurface.resources },
  };
}

export function withServerTools(surface: Surface): Surface {
  return {
    ...surface,
    get tools() {
      return [...serverTools, ...surface.tools];
    },
    resources: [...surface.resources, ...serverSurface.resources],
  };
}
