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

/** The outcome of a tool call as MCP words it. */
export interface ToolResult {
  readonly [key: string]: unknown;
  readonly content: { type: 'text'; text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: boolean;
}

/**
 * Calls a tool by name, as MCP does. Every error becomes a result that the model can read, with one exception: an unknown
 * tool and one that the actor may not use both throw the same `UNKNOWN_TOOL`.
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

/** Looks a tool up as plain HTTP does, parses its arguments and runs it. */
export function runTool(context: RequestContext, name: string, given: unknown): Promise<ToolOutput> {
  return runResolvedTool(context, name, findRoutedTool, given);
}

/** Runs a tool that no list shows, under the same rules. */
export function runUnlisted(context: RequestContext, tool: Tool, given: unknown): Promise<ToolOutput> {
  return runResolvedTool(
    context,
    tool.name,
    ({ may }) => (may(tool.permissions()) ? tool : undefined),
    given,
  );
}

function runResolvedTool(
  request: RequestContext,
  name: string,
  find: (context: RequestContext, name: string) => Tool | undefined,
  given: unknown,
): Promise<ToolOutput> {
  return withDenialReport(request, { tool: name }, async (context) => {
    const tool = find(context, name);
    const ended = observeCall(context, tool?.name, tool?.metricName);
    if (tool === undefined) {
      ended('UNKNOWN_TOOL');
      throw unknownTool(name);
    }
    return runObserved(context, tool, given, ended).catch((thrown: unknown) => {
      // A tool that finds out by its arguments that it is not for this caller does not know what it was called.
      throw asTrellisError(thrown).code === 'UNKNOWN_TOOL' ? unknownTool(name) : thrown;
    });
  });
}

async function runObserved(
  context: RequestContext,
  tool: Tool,
  given: unknown,
  ended: (code?: ErrorCode) => void,
): Promise<ToolOutput> {
  try {
    const args = tool.input.parse(given ?? {});
    const answer = await runAuthorized(context, tool, args);
    ended();
    return answer;
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
      : tool.run(createCallContext(context, tool.name), args);
    return limitOutput(await running, isRead);
  } catch (thrown) {
    throw redactFor(may, needed, thrown);
  }
}

/** An error as the caller may hear it, whose call needed this. */
function redactFor(may: PermissionCheck, needed: readonly Permission[], thrown: unknown): unknown {
  if (!(thrown instanceof TrellisError)) return thrown;
  const concealed = redactWithoutRead(thrown);
  // Only then, since what was not allowed is logged as the reason.
  if (concealed === thrown) return thrown;
  return may(needed.map(({ branch }) => ({ action: 'read', branch }))) ? thrown : concealed;
}

/** A read ends when it takes too long or the sender hangs up. A write never does: it might be committed all the same. */
function runCancellableRead<A>(context: RequestContext, tool: Tool<A>, args: A): Promise<ToolOutput> {
  const { readMs: timeLimit, signal } = context;
  if (timeLimit === undefined && signal === undefined)
    return tool.run(createCallContext(context, tool.name), args);
  const ending = new ReadCancellation({ timeLimit }, tool.name);
  const bounds = {
    timeLimit,
    get signal() {
      return ending.signal;
    },
  };
  return ending.run(signal, () => tool.run(createCallContext(context, tool.name, bounds), args));
}

/** Starts to time a call; call the result when it ends. */
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

/** Reads a resource by its address or one of its aliases. */
export function readResource(request: RequestContext, uri: string): Promise<ResourceText> {
  return withDenialReport(request, { resource: uri }, (context) => readResolvedResource(context, uri));
}

async function readResolvedResource(context: RequestContext, uri: string): Promise<ResourceText> {
  const { address, cursor } = parseResourceUri(uri);
  const page = findResource(context, address);
  const resource = cursor === undefined || page?.isPaged ? page : undefined;
  if (resource === undefined) {
    throw unknownResource(uri);
  }
  const text = await resource.read(
    createCallContext(context, resource.name, { timeLimit: context.readMs, signal: context.signal }),
    cursor,
  );
  return { resource, text: limitText(text) };
}

/** The message, then what to do next if the error says so. */
export function errorText(error: TrellisError): string {
  return error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
}

/** The address of a resource, and the page of it that is asked for. */
function parseResourceUri(uri: string): { readonly address: string; readonly cursor?: string } {
  const [, address = uri, cursor] = /^(.*)\?cursor=([\w-]+)$/.exec(uri) ?? [];
  return cursor === undefined ? { address } : { address, cursor };
}

function toToolResult({ structured, text, isError }: ToolOutput | ToolFailure): ToolResult {
  const content = text.map(textBlock);
  return {
    content,
    ...(structured === undefined ? {} : { structuredContent: structured }),
    ...(isError === undefined ? {} : { isError }),
  };
}

function textBlock(text: string): { type: 'text'; text: string } {
  return { type: 'text', text };
}

/**
 * Why a call is refused. A tool that its caller is shown, since they may use it on some branch, says so if the call left
 * the branch out; any other is hidden.
 */
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

/** What hides a tool from whoever may not use it: the name is the caller's own, and says nothing of what there is. */
export function unknownTool(name: string): TrellisError {
  return new TrellisError('UNKNOWN_TOOL', `unknown tool ${quoteName(name)}`);
}

/** The same for a resource. */
export function unknownResource(uri: string): TrellisError {
  return new TrellisError('UNKNOWN_RESOURCE', `unknown resource ${quoteName(uri)}`, { details: { uri } });
}
