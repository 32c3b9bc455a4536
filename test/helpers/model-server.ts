import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { z } from 'zod';

export type ModelAnswer = (inputs: string[], response: ServerResponse, incoming: IncomingMessage) => void;

export interface ModelServer {
  readonly url: string;
  /** What it was asked, batch by batch. */
  readonly asked: string[][];
  readonly paths: string[];
}

const request = z.object({ model: z.string(), input: z.array(z.string()) });

/** A model server that answers as it is told, until the test is over; keeps what it was asked. */
export async function modelServer(answer: ModelAnswer): Promise<ModelServer> {
  const asked: string[][] = [];
  const paths: string[] = [];
  const server = createServer(async (incoming, response) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part);
    const { input } = request.parse(JSON.parse(Buffer.concat(parts).toString()));
    asked.push(input);
    paths.push(incoming.url ?? '');
    answer(input, response, incoming);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { url: `http://127.0.0.1:${address.port}`, asked, paths };
}
