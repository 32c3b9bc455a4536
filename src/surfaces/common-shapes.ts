import { z } from 'zod';
import { limits } from '../model/limits.js';

export function batchInput<T extends z.ZodType>(item: T, what: string) {
  return z.array(item).max(limits.batchItems).describe(what);
}

/** A name or a type that is stored. */
export const storedName = z.string().min(1).max(limits.nameLength);

export const limitInput = (what: string) => z.int().min(1).max(limits.batchItems).optional().describe(what);

export const cursorInput = storedName.optional().describe('The nextCursor of the previous page');

export const nextCursorOutput = z
  .string()
  .optional()
  .describe('Pass as cursor to get the next page; absent on the last');

/** The texts of times that JavaScript can read. */
export const timeInput = (what: string) =>
  z
    .string()
    .max(100)
    .refine((text) => !Number.isNaN(Date.parse(text)), {
      error: 'expected a time such as 2026-01-31T10:00:00Z',
    })
    .transform((text) => Date.parse(text))
    .optional()
    .describe(`${what}, in ISO 8601`);

/** Tells nodes with the same name apart. */
export const typeInput = (what = 'The type of the entity, if entities of several types share this name') =>
  storedName.optional().describe(what);

export const endTypeInputs = {
  from: typeInput('The type of the entity where it starts, if entities of several types share this name'),
  to: typeInput('The type of the entity where it ends, if entities of several types share this name'),
};

/** The members of a result that a page has only if there is something to say. */
export function pageExtras({
  nextCursor,
  warnings = [],
}: {
  readonly nextCursor?: string | undefined;
  readonly warnings?: readonly string[] | undefined;
}) {
  return {
    ...(nextCursor === undefined ? {} : { nextCursor }),
    ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
  };
}
