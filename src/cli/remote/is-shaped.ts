import type { z } from 'zod';

/** Unlike parsing, keeps the answer as it is. */
export function isShaped<T>(answer: unknown, shape: z.ZodType<T>): answer is T {
  return shape.safeParse(answer).success;
}
