import type { z } from 'zod';
import { EngineTarget } from '../../gate/engine-target.js';
import type { RejectionRedactor } from '../../gate/gate.js';
import type { GateTarget } from '../../gate/gate-target.js';
import type { Author } from '../../model/commit.js';
import { isRecord } from '../../model/is-record.js';
import { redactWithoutRead } from '../../model/redact-without-read.js';
import { jsonText, type Tool } from '../tool.js';
import type { ToolAnnotations } from '../tool-annotations.js';
import { lazyJsonSchema } from '../tool-json-schema.js';

interface GateToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  run(target: GateTarget, author: Author, given: unknown, telling: RejectionRedactor): Promise<object>;
}

/**
 * Makes a tool of the gate. Its arguments reach the gate unread: what is wrong with them is a rejection like any other,
 * an answer that matches the output schema, and is kept.
 */
export function defineGateTool({ input, output, run, ...about }: GateToolDefinition): Tool {
  return {
    ...about,
    input: { schema: lazyJsonSchema(input, 'input'), parse: (given) => given },
    output: lazyJsonSchema(output, 'output'),
    permissions: () => [{ action: 'gate_write' }],
    async run({ graph, actor, redactor, may }, given) {
      const author = { actor: actor.id, tool: about.name };
      const mayRead = may([{ action: 'read' }]);
      const telling: RejectionRedactor = (verdict) =>
        redactor.redactError(mayRead ? verdict : redactWithoutRead(verdict));
      const answer = { ...(await run(new EngineTarget(graph), author, given, telling)) };
      const structured = mayRead ? answer : redactGateResult(answer);
      return { structured, text: [jsonText(structured)] };
    },
  };
}

/** What the gate answers to whoever may not read: what they sent and what became of it, without what was there. */
function redactGateResult(answer: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { similar, conflicts, details, ...rest } = answer;
  return {
    ...rest,
    ...(conflicts === undefined ? {} : { conflicts: redactConflicts(conflicts) }),
    ...(isRecord(details) ? { details: redactRejectionDetails(details) } : {}),
  };
}

/** Of a rejection: the nodes that its keys met, and what stood against it. */
function redactRejectionDetails({
  matches,
  conflicts,
  ...rest
}: Record<string, unknown>): Record<string, unknown> {
  return { ...rest, ...(conflicts === undefined ? {} : { conflicts: redactConflicts(conflicts) }) };
}

function redactConflicts(conflicts: unknown): unknown {
  if (!Array.isArray(conflicts)) return [];
  return conflicts.filter(isRecord).map(({ stored, ...rest }) => rest);
}
