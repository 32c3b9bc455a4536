import type { Source } from '../../language/source.js';
import type { CheckedQuery } from '../check/checked-query.js';
import { isMutation, type ParameterDescriptor, parameterDescriptors } from '../parameter-descriptors.js';

/** A query that is kept with the server, so that it can be called by its name. */
export interface StoredQuery {
  readonly name: string;
  /** What it is called as a tool. */
  readonly toolName: string;
  /** Whether it is a tool; if not, it can still be called over plain HTTP. */
  readonly isExposed: boolean;
  readonly description: string | undefined;
  /** What to tell an agent besides. */
  readonly instruction: string | undefined;
  /** The file, whose other queries are not stored unless they are named too. */
  readonly source: Source;
  /** As it stood when the server began; its parameters never change, what it means may with the schema. */
  readonly checked: CheckedQuery;
  /** Where the configuration names it. */
  readonly namedAt: string;
}

/** A stored query as lists describe it. */
export interface StoredQueryDescription {
  readonly name: string;
  readonly tool_name: string;
  readonly description: string | null;
  readonly instruction: string | null;
  readonly mutation: boolean;
  readonly exposed: boolean;
  readonly params: readonly ParameterDescriptor[];
}

export function describeStoredQuery(query: StoredQuery): StoredQueryDescription {
  return {
    name: query.name,
    tool_name: query.toolName,
    description: query.description ?? null,
    instruction: query.instruction ?? null,
    mutation: isMutation(query.checked),
    exposed: query.isExposed,
    params: parameterDescriptors(query.checked),
  };
}
