import { atLeastOne, type Permission, type PermissionCheck } from '../access/permission.js';
import { asTrellisError, type ErrorCode, TrellisError } from '../model/error.js';
import { publicError } from '../model/public-error.js';
import { quoteName } from '../model/quoting.js';
import { redactWithoutRead } from '../model/redact-without-read.js';
import { ReadCancellation } from '../store/read-cancellation.js';
import { createCallContext } from './call-context.js';
import { limitOutput, limitText } from './limit-output.js';
import { withDenialReport } from './report-denials.js';
import type { RequestContext } from './request-context.js';
import type { Resource, ToolFailure } from './surface.js';
import { findResource, findRoutedTool, findTool } from './surface-registry.js';
import type { Tool, ToolOutput } from './tool.js';

export interface ToolResult {
  readonly [key: string]: unknown;
  readonly content: { type: 'text'; text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: boolean;
}

/**
 * Calls a tool over MCP. Every error becomes a result that the model can read, except `UNKNOWN_TOOL`: it is thrown for
 * an unknown tool and for one that the actor may not use.
 */
export async function callTool(context: RequestContext, name: string, given: unknown): Promise<ToolResult> {
  try {
    return toToolResult(await runResolvedTool(context, name, findTool, given));
  } catch (thrown) {
    const error = publicError(thrown, context);
    if (error.code === 'UNKNOWN_TOOL') throw error;
    const failure = context.surface.failure?.(error, name) ?? { text: [errorText(error)] };
    return { ...toToolResult(failure), isError: true };
  }
}

/**
 * Runs a tool over plain HTTP.
 * @param route What errors in the arguments name; default: the tool.
 */
export function runTool(
  context: RequestContext,
  name: string,
  given: unknown,
  route?: string,
): Promise<ToolOutput> {
  return runResolvedTool(context, name, findRoutedTool, given, route);
}

/** Runs a tool that is not listed. */
export function runUnlisted(context: RequestContext, tool: Tool, given: unknown): Promise<ToolOutput> {
  const find = ({ may }: RequestContext) => (may(tool.permissions()) ? tool : undefined);
  return runResolvedTool(context, tool.name, find, given);
}

function runResolvedTool(
  request: RequestContext,
  name: string,
  find: (context: RequestContext, name: string) => Tool | undefined,
  given: unknown,
  route?: string,
): Promise<ToolOutput> {
  return withDenialReport(request, { tool: name }, async (context) => {
    const tool = find(context, name);
    const ended = observeCall(context, tool?.name, tool?.metricName);
    if (tool === undefined) {
      ended('UNKNOWN_TOOL');
      throw unknownTool(name);
    }
    return runObserved(context, tool, () => tool.input.parse(given ?? {}, route), ended).catch(
      (thrown: unknown) => {
        // A tool that denies itself because of its arguments does not know under which name it was called.
        throw asTrellisError(thrown).code === 'UNKNOWN_TOOL' ? unknownTool(name) : thrown;
      },
    );
  });
}

async function runObserved(
  context: RequestContext,
  tool: Tool,
  parse: () => unknown,
  ended: (code?: ErrorCode) => void,
): Promise<ToolOutput> {
  try {
    const output = await runAuthorized(context, tool, parse());
    ended();
    return output;
  } catch (thrown) {
    ended(asTrellisError(thrown).code);
    throw thrown;
  }
}

async function runAuthorized<A>(context: RequestContext, tool: Tool<A>, args: A): Promise<ToolOutput> {
  const { may } = context;
  const needed = tool.permissions(args);
  if (!may(needed)) throw deniedToolError(context, tool.name, needed);
  const isRead = tool.onlyReads?.(args) ?? tool.annotations.readOnlyHint;
  try {
    const running = isRead
      ? runCancellableRead(context, tool, args)
      : tool.run(createCallContext(context, tool), args);
    return limitOutput(await running, isRead);
  } catch (thrown) {
    throw redactFor(may, needed, thrown);
  }
}

function redactFor(may: PermissionCheck, needed: readonly Permission[], thrown: unknown): unknown {
  if (!(thrown instanceof TrellisError)) return thrown;
  const concealed = redactWithoutRead(thrown);
  // Checked only now: the log gives the first denied permission as the reason.
  if (concealed === thrown) return thrown;
  return may(needed.map(({ branch }) => ({ action: 'read', branch }))) ? thrown : concealed;
}

/** Cancels a read that takes too long or whose sender hangs up. Never a write: it might be committed anyway. */
function runCancellableRead<A>(context: RequestContext, tool: Tool<A>, args: A): Promise<ToolOutput> {
  const { readMs: timeLimit, signal } = context;
  if (timeLimit === undefined && signal === undefined)
    return tool.run(createCallContext(context, tool), args);
  const ending = new ReadCancellation({ timeLimit }, tool.name);
  const bounds = {
    timeLimit,
    get signal() {
      return ending.signal;
    },
  };
  return ending.run(signal, () => tool.run(createCallContext(context, tool, bounds), args));
}

/** Starts timing a call; call the returned function when it ends. */
export function observeCall(
  { onCall, surface, graph, actor }: RequestContext,
  tool: string | undefined,
  metricName?: string,
): (code?: ErrorCode) => void {
  if (onCall === undefined) return () => {};
  const start = performance.now();
  return (code) =>
    onCall({
      surface: surface.name,
      graph: graph.name,
      actor: actor.id,
      tool,
      ...(metricName === undefined ? {} : { metricName }),
      milliseconds: performance.now() - start,
      ...(code === undefined ? {} : { code }),
    });
}

export interface ResourceText {
  readonly resource: Resource;
  readonly text: string;
}

export function readResource(request: RequestContext, uri: string): Promise<ResourceText> {
  return withDenialReport(request, { resource: uri }, (context) => readResolvedResource(context, uri));
}

async function readResolvedResource(context: RequestContext, uri: string): Promise<ResourceText> {
  const { address, cursor } = parseResourceUri(uri);
  const page = findResource(context, address);
  const resource = cursor === undefined || page?.isPaged ? page : undefined;
  if (resource === undefined) throw unknownResource(uri);
  const text = await resource.read(
    createCallContext(context, resource, { timeLimit: context.readMs, signal: context.signal }),
    cursor,
  );
  return { resource, text: limitText(text) };
}

export function errorText(error: TrellisError): string {
  return error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
}

function parseResourceUri(uri: string): { readonly address: string; readonly cursor?: string } {
  const [, address = uri, cursor] = /^(.*)\?cursor=([\w-]+)$/.exec(uri) ?? [];
  return cursor === undefined ? { address } : { address, cursor };
}

function toToolResult({ structured, text, isError }: ToolOutput | ToolFailure): ToolResult {
  return {
    content: text.map((block) => ({ type: 'text', text: block })),
    ...(structured === undefined ? {} : { structuredContent: structured }),
    ...(isError === undefined ? {} : { isError }),
  };
}

/** Says why only if the caller may use the tool on another branch and named none; otherwise hides the tool. */
function deniedToolError(
  { may, graph }: RequestContext,
  tool: string,
  needed: readonly Permission[],
): TrellisError {
  const onAnother = needed.map(
    (one): Permission => (one.branch === undefined ? { ...one, branch: atLeastOne } : one),
  );
  if (!may(onAnother)) return unknownTool(tool);
  return new TrellisError(
    'FORBIDDEN',
    `You may not use ${tool} on the branch ${JSON.stringify(graph.branch)}, which is the default for calls that name no branch.`,
    {
      hint: 'Nothing was done. Name another branch in the call, or bind one to the connection with ?branch=NAME or the header X-Trellis-Branch.',
    },
  );
}

/** Also hides a tool from those who may not use it: it repeats only what the caller sent. */
export function unknownTool(name: string): TrellisError {
  return new TrellisError('UNKNOWN_TOOL', `unknown tool ${quoteName(name)}`);
}

export function unknownResource(uri: string): TrellisError {
  return new TrellisError('UNKNOWN_RESOURCE', `unknown resource ${quoteName(uri)}`, { details: { uri } });
}
