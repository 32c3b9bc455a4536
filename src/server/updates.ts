import { ResourceNotFoundError, type Server } from '@modelcontextprotocol/server';
import { type Binding, unknownResource } from '../surfaces/dispatch.js';
import { resourcesOf } from '../surfaces/registry.js';
import type { Surface } from '../surfaces/surface.js';

/**
 * How resource updates reach the clients of a server instance:
 * - `subscribed`: a connection of the 2025 protocol, where the client subscribes to each address;
 * - `filtered`: a connection of the 2026 protocol, where the SDK keeps the subscriptions and drops what none asked for;
 * - `elsewhere`: one request of many, whose subscriptions live beside it;
 * - `never`: there is no channel for them, and none is promised.
 */
export type Updates = 'subscribed' | 'filtered' | 'elsewhere' | 'never';

/** Tells the client of this instance when a resource or the list of tools changed, in the way its protocol has for that. */
export function announceUpdates(server: Server, binding: Binding, updates: Updates): void {
  if (updates === 'elsewhere' || updates === 'never') return;
  const wanted = updates === 'subscribed' ? serveSubscriptions(server, binding) : urisOf(binding.surface);
  const stop = binding.graph.events.committed(() => {
    // Asked anew: a policy may have changed since a client subscribed.
    for (const { uri } of resourcesOf(binding.surface, binding.may))
      if (wanted.has(uri)) server.sendResourceUpdated({ uri }).catch(binding.report);
  });
  const stopTools = binding.surface.onToolsChanged?.(() => {
    server.sendToolListChanged().catch(binding.report);
  });
  server.onclose = () => {
    stop();
    stopTools?.();
  };
}

/** The addresses whose content changes with the graph. */
export function urisOf(surface: Surface): ReadonlySet<string> {
  return new Set(surface.resources.map(({ uri }) => uri));
}

function serveSubscriptions(server: Server, binding: Binding): ReadonlySet<string> {
  const subscribed = new Set<string>();
  server.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
    const isKnown = resourcesOf(binding.surface, binding.may).some((resource) => resource.uri === uri);
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
