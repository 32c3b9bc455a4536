import type { Actor } from '../access/actor.js';
import type { Graph } from '../engine/graph.js';
import type { Clock } from '../model/clock.js';
import { asTrellisError, TrellisError } from '../model/error.js';
import { bounded, boundedText } from './bounded-answer.js';
import { callBy } from './call.js';
import type { May } from './permission.js';
import { toolNamed } from './registry.js';
import type { Resource, Surface } from './surface.js';
import type { Answer } from './tool.js';

/** A surface on a graph, seen by an actor. */
export interface Binding {
  readonly surface: Surface;
  readonly graph: Graph;
  readonly actor: Actor;
  readonly may: May;
  /** Told of defects, which the caller only sees as a message. */
  readonly report: (error: unknown) => void;
  /** Default: the system's. */
  readonly clock?: Clock;
}

/** The outcome of a tool call as MCP words it. */
export interface ToolResult {
  readonly [key: string]: unknown;
  readonly content: { type: 'text'; text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: true;
}

/**
 * Calls a tool by name: looks it up, parses its arguments, runs it. Every error becomes an answer the model can read,
 * except a tool that is not there, or not for this actor: both throw the same `UNKNOWN_TOOL`.
 */
export async function callTool(binding: Binding, name: string, given: unknown): Promise<ToolResult> {
  const { surface, graph, actor, may } = binding;
  const tool = toolNamed(surface, may, name);
  if (tool === undefined) throw unknownTool();
  try {
    const args = tool.input.parse(given ?? {});
    if (!may(tool.permissions(args))) throw unknownTool();
    return resultOf(bounded(tool, await tool.run(callBy(graph, actor, name, binding.clock), args)));
  } catch (thrown) {
    const error = asTrellisError(thrown);
    if (error.code === 'UNKNOWN_TOOL') throw error;
    if (error.code === 'INTERNAL') binding.report(thrown);
    if (surface.failure !== undefined) return { ...resultOf(surface.failure(error, name)), isError: true };
    return { content: [textBlock(errorText(error))], isError: true };
  }
}

/** Reads a resource by address. */
export async function readResource(
  binding: Binding,
  uri: string,
): Promise<{ resource: Resource; text: string }> {
  const resource = binding.surface.resources.find((candidate) => candidate.uri === uri);
  if (resource === undefined || !binding.may([{ action: 'read' }])) {
    throw new TrellisError('UNKNOWN_RESOURCE', 'unknown resource', { details: { uri } });
  }
  const text = await resource.read(callBy(binding.graph, binding.actor, resource.name));
  return { resource, text: boundedText(text) };
}

/** The message, then what to do next if the error says so. */
export function errorText(error: TrellisError): string {
  return error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
}

function resultOf({ structured, text }: Answer): ToolResult {
  return { content: text.map(textBlock), structuredContent: structured };
}

function textBlock(text: string): { type: 'text'; text: string } {
  return { type: 'text', text };
}

function unknownTool(): TrellisError {
  return new TrellisError('UNKNOWN_TOOL', 'unknown tool');
}
