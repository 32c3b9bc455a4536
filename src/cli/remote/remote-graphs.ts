import { z } from 'zod';
import { TrellisError } from '../../model/error.js';
import type { CommonOptions } from '../command-options.js';
import type { GraphCatalogAccess } from '../graph-command.js';
import { RemoteServer } from './remote-server.js';
import { resolveServerAddress } from './server-address.js';

export async function connectGraphs(given: string, options: CommonOptions): Promise<GraphCatalogAccess> {
  const address = await resolveServerAddress(given, options);
  const server = new RemoteServer(address);
  const json = (body: object) => ({ body: JSON.stringify(body), contentType: 'application/json' });
  const path = (name: string) => `graphs/${encodeURIComponent(name)}`;
  return {
    location: address.url.href.replace(/\/$/, ''),
    async list() {
      const { graphs } = await server.json({ method: 'GET', path: 'graphs' }, listAnswer);
      return graphs.map(({ graph_id: name }) => ({ name }));
    },
    create: (name) => server.json({ method: 'POST', path: 'graphs', ...json({ name }) }, createAnswer),
    async rename(name, to) {
      await server.json({ method: 'PATCH', path: path(name), ...json({ name: to }) }, z.object({}));
    },
    async remove(name, isConfirmed) {
      if (!isConfirmed)
        throw new TrellisError('CONFIRMATION_NEEDED', `Deleting the graph ${name} cannot be undone.`, {
          hint: 'To delete it with its history, repeat the command with --yes',
        });
      await server.json({ method: 'DELETE', path: path(name), query: { confirm: name } }, z.object({}));
    },
  };
}

const listAnswer = z.object({ graphs: z.array(z.object({ graph_id: z.string() })) });

const createAnswer = z.object({ name: z.string(), created_at: z.string() });
