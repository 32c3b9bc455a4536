import type { z } from 'zod';
import type { Gate, WriterView } from '../../gate/gate.js';
import type { GateTarget } from '../../gate/gate-target.js';
import type { Author } from '../../model/commit.js';
import { isRecord } from '../../model/is-record.js';
import { redactWithoutRead } from '../../model/redact-without-read.js';
import type { CallContext } from '../call-context.js';
import { jsonText, type Tool } from '../tool.js';
import { lazyJsonSchema } from '../tool-json-schema.js';

/** A gate, and what it writes to. */
export interface OpenedGate {
  readonly gate: Gate;
  targetFor(call: CallContext): GateTarget;
}

interface GateToolDefinition extends Pick<Tool, 'name' | 'title' | 'description' | 'annotations'> {
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  run(target: GateTarget, author: Author, given: unknown, view: WriterView): Promise<object>;
}

/**
 * Arguments reach the gate unparsed: wrong ones are a rejection like any other, which matches the output schema and is
 * kept.
 */
export function defineGateTool(
  { targetFor }: OpenedGate,
  { input, output, run, ...tool }: GateToolDefinition,
): Tool {
  return {
    ...tool,
    input: { schema: lazyJsonSchema(input, 'input'), parse: (given) => given },
    output: lazyJsonSchema(output, 'output'),
    permissions: () => [{ action: 'gate_write' }],
    async run(call, given) {
      const { author, redactor, may } = call;
      const mayRead = (branch?: string) => may([{ action: 'read', branch }]);
      const view: WriterView = {
        mayRead,
        redact: (verdict, branch) =>
          redactor.redactError(mayRead(branch) ? verdict : redactWithoutRead(verdict)),
      };
      const result: Record<string, unknown> = { ...(await run(targetFor(call), author, given, view)) };
      const structured = mayRead(reviewBranchOf(result)) ? result : redactGateResult(result);
      return { structured, text: [jsonText(structured)] };
    },
  };
}

/** The branch where a write is held, or would have been if it had not been rejected. */
function reviewBranchOf({ branch, details }: Readonly<Record<string, unknown>>): string | undefined {
  const named = branch ?? (isRecord(details) ? details['branch'] : undefined);
  return typeof named === 'string' ? named : undefined;
}

/** For callers without `read`: what they sent and what became of it, without what is stored. */
function redactGateResult(result: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { similar, conflicts, details, ...rest } = result;
  return {
    ...rest,
    ...(conflicts === undefined ? {} : { conflicts: redactConflicts(conflicts) }),
    ...(isRecord(details) ? { details: redactRejectionDetails(details) } : {}),
  };
}

function redactRejectionDetails({
  matches,
  conflicts,
  unknown,
  ...rest
}: Record<string, unknown>): Record<string, unknown> {
  return {
    ...rest,
    ...(Array.isArray(unknown)
      ? { unknown: unknown.filter(isRecord).map(({ suggestions, ...one }) => one) }
      : {}),
    ...(conflicts === undefined ? {} : { conflicts: redactConflicts(conflicts) }),
  };
}

function redactConflicts(conflicts: unknown): unknown {
  if (!Array.isArray(conflicts)) return [];
  return conflicts.filter(isRecord).map(({ stored, ...rest }) => rest);
}
