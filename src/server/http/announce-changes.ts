import type { McpHttpHandler } from '@modelcontextprotocol/server';
import type { Graph } from '../../engine/graph.js';
import type { ResourceDependency, Surface } from '../../surfaces/surface.js';
import { affectedResources, onResourceChange } from '../resource-updates.js';
import type { SubscriptionListeners } from './subscription-listeners.js';

/** Tells the clients that listen at a place of what changes there. */
export function announceChanges(
  handler: McpHttpHandler,
  listeners: SubscriptionListeners,
  surface: Surface,
  graph: Graph,
) {
  const tell = (kinds: readonly ResourceDependency[]) => {
    listeners.endUnauthorized();
    for (const { uri } of affectedResources(surface.resources, kinds)) handler.notify.resourceUpdated(uri);
  };
  const stopUpdates = onResourceChange(graph, tell);
  const stopTools = surface.onToolsChanged?.(() => handler.notify.toolsChanged());
  return {
    graphsChanged: () => tell(['graphs']),
    stop() {
      stopUpdates();
      stopTools?.();
    },
  };
}
