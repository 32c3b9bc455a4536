import { z } from 'zod';
import { conflictPolicies, unknownLabelPolicies } from '../../gate/settings.js';
import { limits } from '../../model/limits.js';
import { textProblem } from '../../model/text.js';
import { surfaceNames } from '../../surfaces/registry.js';
import { formulaWords, registryWords } from '../gate-words.js';

const line = z
  .string()
  .min(1, { abort: true })
  .superRefine((value, context) => {
    const problem = textProblem(value);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
  });

const store = line.refine((value) => /\.(db|jsonl?)$|^postgres(ql)?:\/\//i.test(value), {
  error: 'must be a path that ends in .db, .jsonl or .json, or a postgres:// URL',
});

const gate = block({
  registry: wordOrPath(registryWords, 'a file or module such as ./gate.yaml'),
  unknown_label_policy: z.enum(unknownLabelPolicies),
  fallback_label: line.max(limits.nameLength),
  formula: wordOrPath(formulaWords, 'a module such as ./formula.js'),
  conflicts: z.enum(conflictPolicies),
});

const graph = block({
  surface: z.enum(surfaceNames),
  schemas: line,
  gate,
});

/** Everything that `trellis.yaml` may hold. A new block is one more entry here. */
export const configSchema = block({
  store,
  server: block({ host: line, port: z.int().min(0).max(65_535) }),
  schemas: line,
  gate,
  graphs: z.preprocess(nothingIsEmpty, z.record(line.max(limits.nameLength), graph)),
});

export type ConfigContent = z.output<typeof configSchema>;
export type GateBlock = z.output<typeof gate>;
export type GraphBlock = z.output<typeof graph>;

/** Keys that may each be left out, and no others. A block of which every line is commented out is empty. */
function block<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.preprocess(nothingIsEmpty, z.strictObject(shape).partial());
}

function nothingIsEmpty(value: unknown): unknown {
  return value === null ? {} : value;
}

/** A misspelt word must not be taken for a file, so a path has to look like one. */
function wordOrPath(words: readonly string[], path: string) {
  return line.superRefine((value, context) => {
    if (words.includes(value) || /[/\\]|\.[a-z]+$/i.test(value)) return;
    context.addIssue({
      code: 'custom',
      message: `must be ${words.join(', ')}, or ${path}`,
      params: { words },
    });
  });
}
