import type { z } from 'zod';
import { EngineTarget } from '../../gate/engine-target.js';
import type { RejectionRedactor } from '../../gate/gate.js';
import type { GateTarget } from '../../gate/gate-target.js';
import type { Author } from '../../model/commit.js';
import { redactWithoutRead } from '../../model/redact-without-read.js';
import { jsonText, type Tool } from '../tool.js';
import type { ToolAnnotations } from '../tool-annotations.js';
import { lazyJsonSchema } from '../tool-json-schema.js';
import { redactGateResult } from './redact-gate-result.js';

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
