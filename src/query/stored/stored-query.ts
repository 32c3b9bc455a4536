import type { Source } from '../../language/source.js';
import type { CheckedQuery } from '../check/checked-query.js';
import { isMutation, type ParameterDescriptor, parameterDescriptors } from '../parameter-descriptors.js';

export interface StoredQuerySettings {
  readonly name: string;
  readonly file: string;
  /** Default: what the file says, else true. */
  readonly expose?: boolean | undefined;
  /** Default: what the file says, else the name. */
  readonly toolName?: string | undefined;
  /** Such as `trellis.yaml:3`. */
  readonly source: string;
}

export interface StoredQuery {
  readonly name: string;
  readonly toolName: string;
  /** If not, it can still be called over plain HTTP. */
  readonly isExposed: boolean;
  readonly description: string | undefined;
  /** Further advice for an agent. */
  readonly instruction: string | undefined;
  /** Other queries of the file are not stored unless they are configured too. */
  readonly source: Source;
  /** As of the start of the server; the parameters never change, but the meaning may with the schema. */
  readonly checked: CheckedQuery;
  readonly namedAt: string;
}

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
