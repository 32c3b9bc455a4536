import { TrellisError } from '../../../model/error.js';
import type { MeshSchema } from '../mesh-schema.js';
import { quoteValue } from '../text/quote-value.js';
import { exampleCall, type MeshToolVerb } from './example-call.js';

const maxListed = 20;

interface ArgumentError {
  readonly field: string;
  readonly text: string;
}

/** Collects the errors of one call, so that an agent can fix them all at once. */
export class ArgumentErrors {
  readonly #schema: MeshSchema;
  readonly #verb: MeshToolVerb;
  readonly #errors: ArgumentError[] = [];

  constructor(schema: MeshSchema, verb: MeshToolVerb) {
    this.#schema = schema;
    this.#verb = verb;
  }

  add(field: string, reason: string): void {
    this.#errors.push({ field, text: `${field} ${reason}` });
  }

  invalid(field: string, value: unknown, allowed: string): void {
    if (value === undefined) this.add(field, `is missing: it must be ${allowed}`);
    else this.add(field, `is ${quoteValue(value)}, but must be ${allowed}`);
  }

  throwIfAny(): void {
    if (this.#errors.length === 0) return;
    const tool = `${this.#verb}_${this.#schema.type}`;
    const listed = this.#errors.slice(0, maxListed);
    const more = this.#errors.length - listed.length;
    throw new TrellisError(
      'INVALID_ARGUMENT',
      `Invalid arguments for ${tool}: ${listed.map(({ text }) => text).join('; ')}.` +
        `${more > 0 ? ` And ${more} more.` : ''} Example: ${exampleCall(this.#schema, this.#verb)}`,
      {
        hint: 'Nothing was done. Correct the arguments and call again.',
        details: { tool, fields: listed.map(({ field }) => field) },
      },
    );
  }
}

export function missingWrapperError(schema: MeshSchema, verb: MeshToolVerb): TrellisError {
  const tool = `${verb}_${schema.type}`;
  return new TrellisError(
    'INVALID_ARGUMENT',
    `Missing required argument: "${schema.type}" object not provided`,
    {
      hint: `Nothing was done. Call ${tool} like this: ${exampleCall(schema, verb)}`,
      details: { tool, fields: [schema.type] },
    },
  );
}
