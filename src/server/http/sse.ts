import type { IncomingMessage, ServerResponse } from 'node:http';
import { SSEServerTransport } from '@modelcontextprotocol/server-legacy/sse';
import type { Actor } from '../../access/actor.js';
import { TrellisError } from '../../model/error.js';
import type { Binding } from '../../surfaces/dispatch.js';
import type { InFlight } from '../in-flight.js';
import { mcpServer } from '../mcp-server.js';
import { endWhen } from './end-when.js';
import { isGone } from './refusals.js';

/** Where clients of a stream send their messages. */
const messagesPath = '/sse/messages/';

interface Session {
  readonly actor: Actor;
  readonly workspace: string;
  readonly transport: SSEServerTransport;
}

export interface SseOptions {
  readonly calls: InFlight;
  readonly report: (error: unknown) => void;
  /** Streams that may be open at the same time. */
  readonly most: number;
  /** Of these, those of one actor. */
  readonly mostOfOne: number;
  /** Throws `GRAPH_NOT_FOUND` for a graph that is no longer there. */
  readonly requireGraph: (graph: string) => Promise<void>;
}

/** The streams of clients that speak the older transport: events one way, a request for each message the other. */
export class SseSessions {
  readonly #options: SseOptions;
  readonly #sessions = new Map<string, Session>();

  constructor(options: SseOptions) {
    this.#options = options;
  }

  /** Why an actor cannot have one more stream, or undefined. */
  refusal(actor: Actor): string | undefined {
    const { most, mostOfOne } = this.#options;
    const wayOut = 'Close one, or use /mcp, which needs none.';
    if (this.#sessions.size >= most) return `Too many streams: ${most} are open already. ${wayOut}`;
    const own = [...this.#sessions.values()].filter((session) => session.actor.id === actor.id);
    if (own.length < mostOfOne) return undefined;
    return `Too many streams: at most ${mostOfOne} for each actor. ${wayOut}`;
  }

  /** Opens a stream; the response stays open until one side ends it. */
  async open(binding: Binding, workspace: string, response: ServerResponse): Promise<void> {
    const transport = new SSEServerTransport(messagesPath, response);
    const server = mcpServer(binding, { updates: 'subscribed', calls: this.#options.calls });
    this.#sessions.set(transport.sessionId, { actor: binding.actor, workspace, transport });
    response.once('close', () => {
      this.#sessions.delete(transport.sessionId);
      server.close().catch(this.#options.report);
    });
    await server.connect(transport);
    endWhen(response, () => isGone(this.#options.requireGraph(workspace)));
  }

  /** Takes a message for a stream of the same actor and workspace; throws `NOT_FOUND` if there is no such stream. */
  async receive(
    from: { readonly sessionId: string; readonly workspace: string; readonly actor: Actor },
    request: IncomingMessage,
    response: ServerResponse,
    body: unknown,
  ): Promise<void> {
    const session = this.#sessions.get(from.sessionId);
    if (session === undefined || session.actor.id !== from.actor.id) {
      throw new TrellisError('NOT_FOUND', 'There is no such stream.', { hint: 'Open one with GET /sse.' });
    }
    if (session.workspace !== from.workspace) {
      throw new TrellisError('INVALID_ARGUMENT', 'X-Memory-Workspace differs from that of the stream.');
    }
    await this.#options.requireGraph(session.workspace);
    await session.transport.handlePostMessage(request, response, body);
  }

  /** Ends the streams of a workspace that is gone, or has another name. */
  async forget(workspace: string): Promise<void> {
    await this.#end((session) => session.workspace === workspace);
  }

  async close(): Promise<void> {
    await this.#end(() => true);
  }

  async #end(which: (session: Session) => boolean): Promise<void> {
    const ending = [...this.#sessions.values()].filter(which);
    await Promise.allSettled(ending.map(({ transport }) => transport.close()));
  }
}
