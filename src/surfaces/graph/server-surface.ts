import type { Surface } from '../surface.js';
import type { Tool } from '../tool.js';
import { serverGraphsList } from './server-graphs-list.js';
import { serverGraphsResource } from './server-graphs-resource.js';
import { serverHealth } from './server-health.js';

/** Named apart, since no other tool may have their names. */
export const serverTools: readonly Tool[] = [serverHealth, serverGraphsList];

/** What can be asked of a server as a whole: shown where no single graph is meant. */
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

/** A surface of one graph together with what can be asked of its server. */
export function withServerTools(surface: Surface): Surface {
  return {
    ...surface,
    get tools() {
      return [...serverTools, ...surface.tools];
    },
    resources: [...surface.resources, ...serverSurface.resources],
  };
}
