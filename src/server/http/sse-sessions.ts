import type { ServerResponse } from 'node:http';
import { SSEServerTransport } from '@modelcontextprotocol/server-legacy/sse';
import { type Actor, isSameActor } from '../../access/actor.js';
import { TrellisError } from '../../model/error.js';
import type { RequestContext, RequestOrigin } from '../../surfaces/request-context.js';
import { createMcpServer, toAuthInfo } from '../mcp-server.js';
import type { BufferedBytes } from './limits/buffered-bytes.js';
import type { HttpExchange } from './limits/response-finished.js';
import type { ServerLimits } from './limits/server-limits.js';

const messagesPath = '/sse/messages/';

interface SseSession {
  readonly actor: Actor;
  readonly workspace: string;
  readonly branch: string;
  readonly transport: SSEServerTransport;
}

interface SseMessage {
  readonly origin: RequestOrigin;
  readonly sessionId: string;
  readonly workspace: string;
  readonly body: unknown;
}

export interface SseSessionsOptions {
  readonly report: (error: unknown) => void;
  readonly limits: Pick<ServerLimits, 'unsentBytes' | 'unsentBytesTotal'>;
  readonly unsent: BufferedBytes;
  /** Throws `GRAPH_NOT_FOUND` for a graph that is no longer there. */
  readonly requireGraph: (graph: string) => Promise<void>;
}

export class SseSessions {
  readonly #options: SseSessionsOptions;
  readonly #sessions = new Map<string, SseSession>();

  constructor(options: SseSessionsOptions) {
    this.#options = options;
  }

  async open(context: RequestContext, workspace: string, response: ServerResponse): Promise<void> {
    const transport = new SSEServerTransport(messagesPath, response);
    const { actor, graph } = context;
    const server = createMcpServer(context, 'subscribed');
    this.#sessions.set(transport.sessionId, { actor, workspace, branch: graph.branch, transport });
    const unwatch = this.#watch(actor, transport, response);
    response.once('close', () => {
      this.#sessions.delete(transport.sessionId);
      unwatch();
      server.close().catch(this.#options.report);
    });
    await server.connect(transport);
  }

  async receive(
    { origin, sessionId, workspace, body }: SseMessage,
    { incoming, outgoing }: HttpExchange,
  ): Promise<void> {
    const session = this.#sessions.get(sessionId);
    if (session === undefined || !isSameActor(session.actor, origin.actor))
      throw new TrellisError('NOT_FOUND', 'Unknown stream.', { hint: 'Open one with GET /sse.' });
    if (session.workspace !== workspace)
      throw new TrellisError(
        'INVALID_ARGUMENT',
        'X-Memory-Workspace differs from the workspace of the stream.',
      );
    await this.#options.requireGraph(session.workspace);
    await session.transport.handlePostMessage(
      Object.assign(incoming, { auth: toAuthInfo(origin) }),
      outgoing,
      body,
    );
  }

  /** A stream cannot refuse a response, so it is aborted if too much is unread. */
  #watch({ id }: Actor, transport: SSEServerTransport, response: ServerResponse): () => void {
    const { unsent, limits } = this.#options;
    const held = unsent.hold(id, () => response.destroy());
    const count = () => held.set(response.writableLength);
    const send = transport.send.bind(transport);
    transport.send = async (message, options) => {
      await send(message, options);
      count();
      if (unsent.of(id) > limits.unsentBytes) response.destroy();
      unsent.abortUntilBelow(limits.unsentBytesTotal);
    };
    response.on('drain', count);
    return held.release;
  }

  async forget(workspace: string, branch?: string): Promise<void> {
    await this.#end(
      (session) => session.workspace === workspace && (branch ?? session.branch) === session.branch,
    );
  }

  async close(): Promise<void> {
    await this.#end(() => true);
  }

  async #end(which: (session: SseSession) => boolean): Promise<void> {
    const ending = [...this.#sessions.values()].filter(which);
    await Promise.allSettled(ending.map(({ transport }) => transport.close()));
  }
}
