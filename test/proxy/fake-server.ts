import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it arrived. */
export interface Arrived {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** How a server answers one request; the ways a real one can go wrong are easier to play than to bring about. */
export type Answering = (arrived: Arrived, response: ServerResponse) => void;

/** An HTTP server that notes what it is sent. */
export class FakeServer {
  readonly arrived: readonly Arrived[];
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server, arrived: readonly Arrived[]) {
    this.#server = server;
    this.arrived = arrived;
    const { port } = server.address() as AddressInfo;
    this.url = `http://127.0.0.1:${port}`;
  }

  static async start(answering: Answering): Promise<FakeServer> {
    const arrived: Arrived[] = [];
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const { method = '', url = '', headers } = request;
      const one = { method, path: url, headers, body: Buffer.concat(chunks).toString() };
      arrived.push(one);
      answering(one, response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FakeServer(server, arrived);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** Answers a request with a result, in plain JSON. */
export function answerJson(
  { body }: Arrived,
  response: ServerResponse,
  result: unknown = {},
  headers: Record<string, string> = {},
): void {
  const { id } = JSON.parse(body);
  response.writeHead(200, { 'Content-Type': 'application/json', ...headers });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}

export function answerStatus(
  response: ServerResponse,
  status: number,
  body = '',
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, headers);
  response.end(body);
}

/** One message in a stream of events. */
export function eventOf(message: object, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(message)}\n\n`;
}
