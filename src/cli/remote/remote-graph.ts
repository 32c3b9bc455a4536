import type { Readable } from 'node:stream';
import type { z } from 'zod';
import { TrellisError } from '../../model/error.js';
import { toolRouteTable } from '../../server/http/rest/graph-tool-routes.js';
import type { ArgumentSource } from '../../server/http/rest/route-arguments.js';
import { ingestOutput } from '../../surfaces/graph/graph-ingest.js';
import type { CommonOptions } from '../command-options.js';
import type { GraphTools, ToolArguments } from './graph-tools.js';
import { type RemoteRequest, RemoteServer } from './remote-server.js';
import { resolveServerAddress } from './server-address.js';

export interface RemoteGraph extends GraphTools {
  ingest(
    lines: Readable,
    args: Readonly<Record<string, string | undefined>>,
  ): Promise<z.output<typeof ingestOutput>>;
  /** JSON lines. */
  export(args: Readonly<Record<string, string | undefined>>): Promise<AsyncIterable<Uint8Array>>;
}

export async function connectGraph(url: string, options: CommonOptions): Promise<RemoteGraph> {
  if (options.as !== undefined)
    throw new TrellisError('USAGE', '--as and --url are both given.', {
      hint: 'A server records the actor that the token belongs to.',
    });
  const address = await resolveServerAddress(url, options);
  const server = new RemoteServer(address);
  const below = <R extends RemoteRequest>(request: R) => ({
    ...request,
    path: `graphs/${encodeURIComponent(address.graph)}/${request.path}`,
  });
  return {
    graph: address.graph,
    call: (tool, args, shape) => server.json(below(toolRequest(tool, args)), shape),
    ingest: (lines, args) =>
      server.json(
        below({
          ...{ method: 'POST', path: 'ingest', query: present(args) },
          ...{ body: lines, contentType: 'application/x-ndjson' },
        }),
        ingestOutput,
      ),
    async export(args) {
      return server.stream(below({ method: 'GET', path: 'export', query: present(args) }));
    },
  };
}

function present(args: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(args).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function toolRequest(tool: string, given: ToolArguments): RemoteRequest {
  const routes = toolRouteTable.filter((one) => one.tool === tool);
  if (routes.length === 0) throw new TrellisError('INTERNAL', `No route leads to the tool ${tool}.`);
  // URLs drop the path segments . and .., even if encoded.
  const isDots = (source: ArgumentSource) =>
    source.in === 'path' && /^\.{1,2}$/.test(String(given[source.argument]));
  const route = routes.find((one) => !one.args.some(isDots));
  if (route === undefined) throw new TrellisError('INVALID_ARGUMENT', 'There is nothing named . or .. here.');
  const rest = new Map(Object.entries(given).filter(([, value]) => value !== undefined));
  const take = (name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    return value;
  };
  let path = route.path;
  const query: Record<string, string> = {};
  for (const source of route.args) {
    if (source.in === 'path')
      path = path.replace(
        new RegExp(`:${source.name}(\\{[^}]*\\})?`),
        encodeURIComponent(String(take(source.argument))),
      );
    if (source.in !== 'query') continue;
    for (const name of source.names) {
      const value = take(name);
      if (value !== undefined) query[name] = String(value);
    }
  }
  const hasBody = route.args.some((source) => source.in === 'body');
  if (!hasBody && rest.size > 0)
    throw new TrellisError('INTERNAL', `The route of ${tool} has no ${[...rest.keys()].join(', ')}.`);
  return {
    method: route.method,
    path,
    query,
    ...(hasBody ? { body: JSON.stringify(Object.fromEntries(rest)), contentType: 'application/json' } : {}),
  };
}
