import { z } from 'zod';
import { limits } from '../../model/limits.js';

/** A change takes at least 50 characters, even if half of the touched rows end up unchanged. */
export const maxTouched = limits.answerLength / 50;

const change = z.enum(['added', 'changed', 'removed']);
const json = z.record(z.string(), z.unknown());

/** By name, such as `summary`, `props.age` or `observations.3`. */
const properties = z
  .record(z.string(), z.object({ before: z.unknown().optional(), after: z.unknown().optional() }))
  .optional()
  .describe('Only for changes; a side without a value is left out');

const described = { props: json.optional(), provenance: json.optional(), properties };

export const changesOutput = z.object({
  schema: z
    .object({
      change,
      steps: z
        .array(
          z.object({
            step: z.string(),
            kind: z.enum(['interface', 'node', 'edge']),
            type: z.string(),
            property: z.string().optional(),
            from: z.string().optional().describe('The name before a rename'),
            message: z.string(),
          }),
        )
        .describe('As in schema_apply; empty if only comments or layout changed, or the schema was removed'),
    })
    .optional()
    .describe('Only if the schema changed'),
  nodes: z.array(
    z.object({
      change,
      type: z.string(),
      name: z.string(),
      summary: z.string().optional(),
      tags: z.array(z.string()).optional(),
      observations: z.array(z.object({ ordinal: z.int(), text: z.string() })).optional(),
      ...described,
    }),
  ),
  edges: z.array(
    z.object({
      change,
      from: z.string(),
      type: z.string(),
      to: z.string(),
      key: z.string().optional(),
      weight: z.number().optional(),
      ...described,
    }),
  ),
});
