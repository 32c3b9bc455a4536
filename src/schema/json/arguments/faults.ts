import { TrellisError } from '../../../model/error.js';
import type { NodeSchema } from '../node-schema.js';
import { shown } from '../text/shown.js';
import { exampleCall, type Verb } from './example-call.js';

/** How many faults one answer lists. */
const faultsListed = 20;

interface Fault {
  readonly field: string;
  readonly text: string;
}

/** What is wrong with the arguments of one call, gathered so that an agent can mend all of it at once. */
export class Faults {
  readonly #schema: NodeSchema;
  readonly #verb: Verb;
  readonly #faults: Fault[] = [];

  constructor(schema: NodeSchema, verb: Verb) {
    this.#schema = schema;
    this.#verb = verb;
  }

  add(field: string, reason: string): void {
    this.#faults.push({ field, text: `${field} ${reason}` });
  }

  /** Notes that a value is not what is allowed. */
  wrong(field: string, value: unknown, allowed: string): void {
    if (value === undefined) this.add(field, `is missing: it must be ${allowed}`);
    else this.add(field, `is ${shown(value)}, but must be ${allowed}`);
  }

  /** Ends the call if anything is wrong with it. */
  throwIfAny(): void {
    if (this.#faults.length === 0) return;
    const tool = `${this.#verb}_${this.#schema.type}`;
    const listed = this.#faults.slice(0, faultsListed);
    const more = this.#faults.length - listed.length;
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

/** The error for a call whose fields do not stand in an object of the node's type. */
export function wrapperMissing(schema: NodeSchema, verb: Verb): TrellisError {
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
