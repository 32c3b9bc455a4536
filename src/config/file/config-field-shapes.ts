import { z } from 'zod';
import { textProblem } from '../../model/text.js';

/** Text that is not empty. */
export const nonEmptyText = z
  .string()
  .min(1, { abort: true })
  .superRefine((value, context) => {
    const problem = textProblem(value);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
  });

/** Keys that may each be left out, and no others. A block of which every line is commented out is empty. */
export function block<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.preprocess(nullAsEmpty, z.strictObject(shape).partial());
}

export function nullAsEmpty(value: unknown): unknown {
  return value === null ? {} : value;
}
