import {
  type AuthInfo,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
} from '@modelcontextprotocol/server';
import { asTrellisError } from '../model/error.js';
import { publicError } from '../model/public-error.js';
import { quoteName } from '../model/quoting.js';
import { callTool, errorText, readResource, type ToolResult } from '../surfaces/dispatch.js';
import { type RequestContext, RequestOrigin } from '../surfaces/request-context.js';
import { visibleResources, visibleTools } from '../surfaces/surface-registry.js';
import { clientLabel } from './client-label.js';
import { appExtension, appMeta, declaresApps, explorerApp, hasApp, readExplorerApp } from './explorer-app.js';
import { packageVersion } from './package-version.js';
import { sendResourceUpdates, type UpdateDelivery } from './resource-updates.js';

const version = packageVersion();

/** Lists depend on the actor and rarely change. */
const listHint = { ttlMs: 60_000, cacheScope: 'private' } as const;

export function createMcpServer(context: RequestContext, updates: UpdateDelivery): Server {
  const { surface } = context;
  const hidesAll = surface.resources.length > 0 && visibleResources(context).length === 0;
  const server = new TrellisServer(
    { name: surface.serverName, title: surface.title, version },
    {
      capabilities: {
        tools: updates === 'never' || surface.onToolsChanged === undefined ? {} : { listChanged: true },
        // Who can read none must not learn that there is something that changes.
        resources: updates === 'never' || hidesAll ? {} : { subscribe: true },
        prompts: {},
      },
      instructions: surface.instructions,
      cacheHints: { 'tools/list': listHint, 'resources/list': listHint, 'prompts/list': listHint },
    },
  );
  server.offersApp = (envelope) => showsApps(server, context, envelope) && hasApp(context);
  server.onerror = context.report;
  serveTools(server, context);
  serveResources(server, context);
  servePrompts(server, context);
  sendResourceUpdates(server, context, updates);
  return server;
}

class TrellisServer extends Server {
  offersApp: (envelope: Envelope) => boolean = () => false;

  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const wrapped = super._wrapHandler(method, strict(method, handler));
    if (method !== 'initialize' && method !== 'server/discover') return wrapped;
    return async (request, context) => {
      const result = await wrapped(request, context);
      // For clients that do not declare the extension, nothing changes.
      if (!this.offersApp(context.mcpReq.envelope)) return result;
      return { ...result, capabilities: { ...this.getCapabilities(), extensions: { [appExtension]: {} } } };
    };
  }
}

/** The SDK reports malformed parameters as an internal error; this makes it the sender's. */
function strict(method: string, handler: Handler): Handler {
  return (request, context) => {
    try {
      return handler(request, context);
    } catch (thrown) {
      // Our handlers return promises, so what is thrown at once is the SDK's complaint about the parameters.
      if (thrown instanceof ProtocolError) throw thrown;
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Invalid params for ${method}: ${reason}`);
    }
  };
}

type Handler = Parameters<Server['_wrapHandler']>[1];

/** Carries the origin of a request through the SDK. */
export function toAuthInfo(origin: RequestOrigin, shorten?: ShortenResult): AuthInfo {
  const { actor } = origin;
  return { token: '', clientId: actor.id, scopes: [...actor.scopes], extra: { origin, shorten } };
}

/** Returns what the SDK prints in place of a result. */
export type ShortenResult = (result: ToolResult) => ToolResult;

function shortened(result: ToolResult, authInfo: AuthInfo | undefined): ToolResult {
  const shorten = authInfo?.extra?.['shorten'];
  return typeof shorten === 'function' ? (shorten as ShortenResult)(result) : result;
}

export function originIn(authInfo: AuthInfo | undefined): RequestOrigin | undefined {
  const origin = authInfo?.extra?.['origin'];
  return origin instanceof RequestOrigin ? origin : undefined;
}

/** On an SSE stream, the request that brought a message is not the one that opened the stream. */
function track<T>(
  { calls }: RequestContext,
  authInfo: AuthInfo | undefined,
  work: () => Promise<T>,
): Promise<T> {
  return (originIn(authInfo)?.calls ?? calls).track(work);
}

type Envelope =
  | { readonly [CLIENT_INFO_META_KEY]?: unknown; readonly [CLIENT_CAPABILITIES_META_KEY]?: unknown }
  | undefined;

/** With each request in the 2026 protocol, once per connection in that of 2025. */
function clientOf(server: Server, context: RequestContext, envelope: Envelope): string | undefined {
  return clientLabel(envelope?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion()) ?? context.client;
}

function showsApps(server: Server, context: RequestContext, envelope: Envelope): boolean {
  const declared = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
  return declaresApps(declared) || context.showsApps === true;
}

function serveTools(server: Server, context: RequestContext): void {
  server.setRequestHandler('tools/list', async (_, { mcpReq: { envelope } }) => ({
    tools: visibleTools(context).map((tool) => ({
      name: tool.name,
      title: tool.title,
      description: tool.description,
      inputSchema: tool.input.schema(),
      ...(tool.output === undefined ? {} : { outputSchema: tool.output() }),
      annotations: { ...tool.annotations },
      ...(showsApps(server, context, envelope) ? appMeta(tool.name) : {}),
    })),
  }));
  server.setRequestHandler('tools/call', ({ params }, { mcpReq: { signal, envelope }, http }) =>
    track(context, http?.authInfo, () =>
      callTool(
        { ...context, signal, client: clientOf(server, context, envelope) },
        params.name,
        params.arguments,
      ).then((result) => shortened(result, http?.authInfo), throwProtocolError),
    ),
  );
}

function serveResources(server: TrellisServer, context: RequestContext): void {
  server.setRequestHandler('resources/list', async (_, { mcpReq: { envelope } }) => ({
    resources: [
      ...visibleResources(context).map(({ uri, name, title, description, mimeType }) => ({
        ...{ uri, name, title, description, mimeType },
      })),
      ...(server.offersApp(envelope) ? [explorerApp] : []),
    ],
  }));
  server.setRequestHandler('resources/templates/list', async () => ({
    resourceTemplates: visibleResources(context)
      .filter(({ isPaged }) => isPaged)
      .map(({ uri, name, title, description, mimeType }) => ({
        ...{ uriTemplate: `${uri}{?cursor}`, name: `${name}-page`, title: `${title}, a page` },
        ...{ description, mimeType },
      })),
  }));
  server.setRequestHandler('resources/read', async ({ params }, { mcpReq: { signal, envelope }, http }) => {
    if (params.uri === explorerApp.uri && server.offersApp(envelope))
      return readExplorerApp().catch(throwProtocolError);
    const { resource, text } = await track(context, http?.authInfo, () =>
      readResource({ ...context, signal }, params.uri).catch((thrown: unknown) =>
        throwProtocolError(publicError(thrown, context)),
      ),
    );
    return { contents: [{ uri: params.uri, mimeType: resource.mimeType, text }] };
  });
}

function servePrompts(server: Server, { surface }: RequestContext): void {
  server.setRequestHandler('prompts/list', async () => ({
    prompts: surface.prompts.map(({ name, title, description }) => ({ name, title, description })),
  }));
  server.setRequestHandler('prompts/get', async ({ params }) => {
    const prompt = surface.prompts.find((candidate) => candidate.name === params.name);
    if (prompt === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `unknown prompt ${quoteName(params.name)}`);
    return {
      description: prompt.description,
      messages: [{ role: 'user', content: { type: 'text', text: prompt.text() } }],
    };
  });
}

function throwProtocolError(thrown: unknown): never {
  const error = asTrellisError(thrown);
  if (error.code === 'UNKNOWN_TOOL') throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
  if (error.code === 'UNKNOWN_RESOURCE')
    throw new ResourceNotFoundError(String(error.details?.['uri']), error.message);
  throw new ProtocolError(ProtocolErrorCode.InternalError, errorText(error), { code: error.code });
}
