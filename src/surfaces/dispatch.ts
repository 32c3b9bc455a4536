import { atLeastOne, type Permission, type PermissionCheck } from '../access/permission.js';
import { asTrellisError, type ErrorCode, TrellisError } from '../model/error.js';
import { quoteName } from '../model/quote-name.js';
import { redactError } from '../model/redact-error.js';
import { redactWithoutRead } from '../model/redact-without-read.js';
import { ReadCancellation } from '../store/read-cancellation.js';
import { type Caller, createCallContext } from './call-context.js';
import { limitOutput, limitText } from './limit-output.js';
import { type DeniedCall, withDenialReport } from './report-denials.js';
import type { Resource, Surface, ToolFailure } from './surface.js';
import { findResource, findRoutedTool, findTool } from './surface-registry.js';
import type { Tool, ToolOutput } from './tool.js';

/** A surface on a graph, seen by an actor. */
export interface RequestContext extends Caller {
  readonly surface: Surface;
  readonly report: (error: unknown) => void;
  /** Milliseconds that a tool which only reads may take. */
  readonly readMs?: number;
  /** Told how each call ended. */
  readonly observe?: (outcome: CallOutcome) => void;
  /** Told of what the caller asked for and did not get, since it is not there or not for them. */
  readonly denied?: (refusal: DeniedCall) => void;
}

/** How a call of a tool ended. */
export interface CallOutcome {
  readonly surface: string;
  readonly graph: string;
  readonly actor: string;
  /** Undefined for a tool that is not there, or not for this actor. */
  readonly tool: string | undefined;
  /** What the tool is counted as, if not under its name. */
  readonly metricName?: string;
  readonly milliseconds: number;
  /** The code of the error, if it failed. */
  readonly code?: ErrorCode;
}

/** The outcome of a tool call as MCP words it. */
export interface ToolResult {
  readonly [key: string]: unknown;
  readonly content: { type: 'text'; text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: boolean;
}

/**
 * Calls a tool by name, as MCP does. Every error becomes an answer the model can read, except a tool that is not there, or
 * not for this actor: both throw the same `UNKNOWN_TOOL`.
 */
export async function callTool(
  binding: RequestContext,
  name: string,
  given: unknown,
  signal?: AbortSignal,
): Promise<ToolResult> {
  try {
    return toToolResult(
      await runResolvedTool(binding, name, (caller) => findTool(caller, name), given, signal),
    );
  } catch (thrown) {
    const error = asTrellisError(thrown);
    if (error.code === 'UNKNOWN_TOOL') throw error;
    const told = redactError(error, binding.isRemote === true);
    if (told !== error) binding.report(error);
    const failure = binding.surface.failure?.(told, name) ?? { text: [errorText(told)] };
    return { ...toToolResult(failure), isError: true };
  }
}

/**
 * Looks a tool up as plain HTTP does, parses its arguments and runs it; answers or throws.
 *
 * @param signal Aborted when nobody waits for the answer any more.
 */
export function runTool(
  binding: RequestContext,
  name: string,
  given: unknown,
  signal?: AbortSignal,
): Promise<ToolOutput> {
  return runResolvedTool(binding, name, (caller) => findRoutedTool(caller, name), given, signal);
}

/** Runs a tool that no list shows, under the same rules. */
export function runUnlisted(
  binding: RequestContext,
  tool: Tool,
  given: unknown,
  signal?: AbortSignal,
): Promise<ToolOutput> {
  const find = ({ may }: RequestContext) => (may(tool.permissions()) ? tool : undefined);
  return runResolvedTool(binding, tool.name, find, given, signal);
}

function runResolvedTool(
  asked: RequestContext,
  name: string,
  find: (caller: RequestContext) => Tool | undefined,
  given: unknown,
  signal: AbortSignal | undefined,
): Promise<ToolOutput> {
  return withDenialReport(asked, { tool: name }, async (binding) => {
    const tool = find(binding);
    const ended = observeCall(binding, tool?.name, tool?.metricName);
    if (tool === undefined) {
      ended('UNKNOWN_TOOL');
      throw unknownTool(name);
    }
    return runObserved(binding, tool, given, signal, ended).catch((thrown: unknown) => {
      // A tool that finds out by its arguments that it is not for this caller does not know what it was called.
      throw asTrellisError(thrown).code === 'UNKNOWN_TOOL' ? unknownTool(name) : thrown;
    });
  });
}

async function runObserved(
  binding: RequestContext,
  tool: Tool,
  given: unknown,
  signal: AbortSignal | undefined,
  ended: (code?: ErrorCode) => void,
): Promise<ToolOutput> {
  try {
    const args = tool.input.parse(given ?? {});
    const answer = await runAuthorized(binding, tool, args, signal);
    ended();
    return answer;
  } catch (thrown) {
    ended(asTrellisError(thrown).code);
    throw thrown;
  }
}

async function runAuthorized<A>(
  binding: RequestContext,
  tool: Tool<A>,
  args: A,
  signal: AbortSignal | undefined,
): Promise<ToolOutput> {
  const { may } = binding;
  const needed = tool.permissions(args);
  if (!may(needed)) throw deniedToolError(binding, tool.name, needed);
  const isRead = tool.onlyReads?.(args) ?? tool.annotations.readOnlyHint;
  try {
    const running = isRead
      ? runCancellableRead(tool, binding, args, signal)
      : tool.run(createCallContext(binding, tool.name), args);
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

/** Runs a read, which ends when it takes too long or nobody waits for it; a write never does, since it may be done all the same. */
function runCancellableRead<A>(
  tool: Tool<A>,
  binding: RequestContext,
  args: A,
  signal: AbortSignal | undefined,
): Promise<ToolOutput> {
  const { readMs: timeLimit } = binding;
  if (timeLimit === undefined && signal === undefined)
    return tool.run(createCallContext(binding, tool.name), args);
  const ending = new ReadCancellation({ timeLimit }, tool.name);
  const bounds = {
    timeLimit,
    get signal() {
      return ending.signal;
    },
  };
  return ending.run(signal, () => tool.run(createCallContext(binding, tool.name, bounds), args));
}

/** Begins a call, for whoever watches the binding; what it answers tells them how the call ended. */
export function observeCall(
  binding: RequestContext,
  tool: string | undefined,
  countedAs?: string,
): (code?: ErrorCode) => void {
  const { observe, surface, graph, actor } = binding;
  if (observe === undefined) return () => {};
  const start = performance.now();
  return (code) =>
    observe({
      surface: surface.name,
      graph: graph.name,
      actor: actor.id,
      tool,
      ...(countedAs === undefined ? {} : { metricName: countedAs }),
      milliseconds: performance.now() - start,
      ...(code === undefined ? {} : { code }),
    });
}

/** Reads a resource by address, or by another that it answers to. */
export function readResource(
  asked: RequestContext,
  uri: string,
  signal?: AbortSignal,
): Promise<{ resource: Resource; text: string }> {
  return withDenialReport(asked, { resource: uri }, (binding) => readResolvedResource(binding, uri, signal));
}

async function readResolvedResource(
  binding: RequestContext,
  uri: string,
  signal: AbortSignal | undefined,
): Promise<{ resource: Resource; text: string }> {
  const { address, cursor } = parseResourceUri(uri);
  const page = findResource(binding, address);
  const resource = cursor === undefined || page?.isPaged ? page : undefined;
  if (resource === undefined) {
    throw unknownResource(uri);
  }
  const text = await resource.read(
    createCallContext(binding, resource.name, { timeLimit: binding.readMs, signal }),
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
    `You may not use ${tool} on the branch ${JSON.stringify(graph.branch)}, which a call is about that names none.`,
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
