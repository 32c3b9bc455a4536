import { z } from 'zod';
import { defaultReliability } from '../../gate/check/gate-arguments.js';
import { holdReasons } from '../../gate/review/trust-rules.js';
import { storedName } from '../common-shapes.js';
import { methodsText } from './gate-rules-text.js';

const scalar = z.union([z.string(), z.number(), z.boolean()]);

export const labelInput = (what: string) => storedName.describe(what);

/** Lists and maps cannot identify a node. */
export const keysInput = (what: string) => z.record(z.string(), scalar).describe(what);

export const propertiesInput = (what: string) => z.record(z.string(), z.unknown()).describe(what);

export const originInput = (methods: readonly string[] | undefined) => ({
  source: storedName.describe('Where the claim came from: a URL, a file, a person, a conversation'),
  extraction_method: z.string().describe(methodsText(methods)),
  reliability: z
    .number()
    .default(defaultReliability)
    .describe('How reliable the source is, from 0 to 1; other values are clamped'),
  derived_from: z
    .array(z.string())
    .optional()
    .describe(
      'What you concluded it from: names of nodes (Label:name if several have the name) or ids of commits; it is no more certain than they are. Needs the permission to read',
    ),
});

export const keysOutput = z.record(z.string(), scalar);

const sourcedOutput = z.object({
  value: z.unknown(),
  confidence: z.number(),
  source: z.string().optional(),
  extraction_method: z.string().optional(),
  last_updated: z.string().optional(),
});

/** All optional: only a rejection has them. */
export const rejectionOutput = {
  error_code: z.string().optional().describe('Why it was rejected'),
  message: z.string().optional().describe('What is wrong, or why it is held, and what to do'),
  details: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Every failure of that kind; only for a rejection'),
};

export const statusOutput = z
  .enum(['written', 'held', 'rejected'])
  .describe('held: stored on a branch for review, not where others read');

/** For the descriptions of the tools that write. */
export const heldText = 'If it is held, it is stored on a branch for review: do not write it again. ';

/** All optional: only a held write has them. */
export const heldOutput = {
  branch: z.string().optional().describe('Where it waits for review; only if it is held'),
  commit_id: z.string().optional().describe('The commit on that branch; only if it is held'),
  reason: z.enum(holdReasons).optional().describe('Why it is held'),
  behind: z.boolean().optional().describe('That branch lacks newer commits of the one you wrote to'),
};

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

export const warningsOutput = {
  warnings: z.array(z.string()).optional().describe('Texts that look like instructions to a model'),
};

export const remappingOutput = {
  remapped_from: z.string().optional().describe('The label as you sent it, if it was remapped'),
  suggested_label: z.string().optional().describe('A registered label that yours looks like'),
};

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
