import { z } from 'zod';
import { defaultReliability } from '../../gate/check/gate-arguments.js';
import { limits } from '../../model/limits.js';
import { methodsText } from './gate-rules-text.js';

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const shortText = z.string().min(1).max(limits.nameLength);

export const labelInput = (what: string) => shortText.describe(what);

/** Keys are scalars: comparing lists and maps is nobody's idea of identity. */
export const keysInput = (what: string) => z.record(z.string(), scalar).describe(what);

export const propertiesInput = (what: string) => z.record(z.string(), z.unknown()).describe(what);

/** What both writes say about where a claim came from. */
export const originInput = (methods: readonly string[] | undefined) => ({
  source: shortText.describe('Where the claim came from: a URL, a file, a person, a conversation'),
  extraction_method: z.string().describe(methodsText(methods)),
  reliability: z
    .number()
    .default(defaultReliability)
    .describe('How reliable the source is, from 0 to 1; other values are clamped'),
});

const keysOutput = z.record(z.string(), scalar);

const sourcedOutput = z.object({
  value: z.unknown(),
  confidence: z.number(),
  source: z.string().optional(),
  extraction_method: z.string().optional(),
  last_updated: z.string().optional(),
});

/** What a rejection says; beside it, what is only there when something was written. */
export const rejectionOutput = {
  error_code: z.string().optional().describe('Why it was rejected'),
  message: z.string().optional().describe('What is wrong and what to do; only for a rejection'),
  details: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Every failure of that kind; only for a rejection'),
};

export const statusOutput = z.enum(['written', 'rejected']);

export const writtenOutput = {
  created: z.boolean().optional().describe('Whether it is new; if not, an existing one was updated'),
  confidence: z.number().optional().describe('Computed by the gate, from 0 to 1'),
  write_gate_version: z.string().optional(),
  conflicts: z
    .array(
      z.object({
        property: z.string(),
        stored: sourcedOutput.optional().describe('Only if you have read permission'),
        incoming: sourcedOutput,
        kept: z.enum(['stored', 'incoming']).describe('Which of the two values the graph now holds'),
      }),
    )
    .optional()
    .describe('Properties whose stored value was more certain than this one'),
};

export const remappingOutput = {
  remapped_from: z.string().optional().describe('The label as you sent it, if it was remapped'),
  suggested_label: z.string().optional().describe('A registered label that yours looks like'),
};

export const keysAnswer = keysOutput;

export const similarOutput = z
  .array(z.object({ name: z.string(), keys: keysOutput }))
  .optional()
  .describe('Nodes of that label with a similar key: you may have meant one of them');

export const endpointOutput = z
  .object({
    label: z.string(),
    keys: keysOutput,
    ...remappingOutput,
    stub_created: z.boolean().optional().describe('The node was missing and is now a stub'),
  })
  .optional();
