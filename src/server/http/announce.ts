import type { McpHttpHandler } from '@modelcontextprotocol/server';
import type { Graph } from '../../engine/graph.js';
import type { ChangesWith, Surface } from '../../surfaces/surface.js';
import { changedWith, onChange } from '../updates.js';
import type { Listeners } from './listeners.js';

/** Tells the clients that listen at a place of what changes there. */
export function announce(handler: McpHttpHandler, listeners: Listeners, surface: Surface, graph: Graph) {
  const tell = (kinds: readonly ChangesWith[]) => {
    listeners.dismiss();
    for (const { uri } of changedWith(surface.resources, kinds)) handler.notify.resourceUpdated(uri);
  };
  const stopUpdates = onChange(graph, tell);
  const stopTools = surface.onToolsChanged?.(() => handler.notify.toolsChanged());
  return {
    graphsChanged: () => tell(['graphs']),
    stop() {
      stopUpdates();
      stopTools?.();
    },
  };
}
