import { z } from 'zod';
import { textProblem } from '../../model/text.js';

export const nonEmptyText = z
  .string()
  .min(1, { abort: true })
  .superRefine((value, context) => {
    const problem = textProblem(value);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
  });

/** All keys are optional, no others are allowed. A block whose lines are all commented out is null. */
export function block<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.preprocess(nullAsEmpty, z.strictObject(shape).partial());
}

export function nullAsEmpty(value: unknown): unknown {
  return value === null ? {} : value;
}
