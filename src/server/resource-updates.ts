import { ResourceNotFoundError, type Server } from '@modelcontextprotocol/server';
import type { Graph } from '../engine/graph.js';
import { unknownResource } from '../surfaces/dispatch.js';
import type { RequestContext } from '../surfaces/request-context.js';
import type { Resource, ResourceDependency } from '../surfaces/surface.js';
import { visibleResources } from '../surfaces/surface-registry.js';

/**
 * How resource updates reach the clients of a server instance:
 * - `subscribed`: a connection of the 2025 protocol, where the client subscribes to each address;
 * - `filtered`: a connection of the 2026 protocol, where the SDK keeps the subscriptions and drops what none asked for;
 * - `elsewhere`: one request of many, whose subscriptions live beside it;
 * - `never`: there is no channel for them, and none is promised.
 */
export type UpdateDelivery = 'subscribed' | 'filtered' | 'elsewhere' | 'never';

export function sendResourceUpdates(server: Server, context: RequestContext, updates: UpdateDelivery): void {
  if (updates === 'elsewhere' || updates === 'never') return;
  const { graph, surface } = context;
  const subscribed = updates === 'subscribed' ? serveSubscriptions(server, context) : undefined;
  const stop = onResourceChange(graph, (kinds) => {
    // Checked each time: the policy may have changed since a client subscribed.
    for (const { uri } of affectedResources(visibleResources(context), kinds))
      if (subscribed?.has(uri) !== false) server.sendResourceUpdated({ uri }).catch(context.report);
  });
  const stopTools = surface.onToolsChanged?.(() => {
    server.sendToolListChanged().catch(context.report);
  });
  server.onclose = () => {
    stop();
    stopTools?.();
  };
}

/** Returns how to stop. */
export function onResourceChange(
  graph: Graph,
  changed: (kinds: readonly ResourceDependency[]) => void,
): () => void {
  const watching = graph.watch((change) => {
    if (change.kind === 'commits') {
      if (change.branch === graph.branch) changed(change.setsSchema ? ['commits', 'schema'] : ['commits']);
    } else if (change.kind !== 'gone') changed(['branches']);
  });
  // A graph that is not there cannot change; whoever uses it learns that.
  watching.catch(() => {});
  return () => void watching.then((stop) => stop()).catch(() => {});
}

export function affectedResources(
  resources: readonly Resource[],
  kinds: readonly ResourceDependency[],
): readonly Resource[] {
  return resources.filter(({ changesWith = 'commits' }) => kinds.includes(changesWith));
}

function serveSubscriptions(server: Server, context: RequestContext): ReadonlySet<string> {
  const subscribed = new Set<string>();
  server.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
    const isKnown = visibleResources(context).some((resource) => resource.uri === uri);
    if (!isKnown) throw new ResourceNotFoundError(uri, unknownResource(uri).message);
    subscribed.add(uri);
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    subscribed.delete(uri);
    return {};
  });
  return subscribed;
}
