import { TokenReader, tokensOf } from './tokens.js';

export const parameterKinds = {
  String: 'string',
  Blob: 'blob',
  Bool: 'bool',
  I32: 'int',
  U32: 'int',
  I64: 'bigint',
  U64: 'bigint',
  F32: 'float',
  F64: 'float',
  DateTime: 'datetime',
  Date: 'date',
} as const;

/** As the route `queries` describes it. */
export interface Parameter {
  readonly name: string;
  readonly kind: string;
  readonly nullable: boolean;
  readonly item_kind?: string;
}

export interface QueryHead {
  readonly name: string;
  readonly params: readonly Parameter[];
  readonly mutation: boolean;
}

/** The queries of a source with their parameters, as far as it is written. */
export function parseQueryHeads(source: string): readonly QueryHead[] {
  const reader = new TokenReader(tokensOf(source));
  const heads: QueryHead[] = [];
  while (!reader.isAtEnd) {
    if (!reader.takeIf('query')) {
      reader.take();
      continue;
    }
    const name = reader.take();
    const params = readParameters(reader);
    while (!reader.isAtEnd && reader.peek() !== '{' && reader.peek() !== 'query') {
      reader.take();
      reader.takeBrackets();
    }
    heads.push({ name, params, mutation: ['insert', 'update', 'delete'].includes(reader.peek(1)) });
    reader.takeBrackets();
  }
  return heads;
}

function readParameters(reader: TokenReader): readonly Parameter[] {
  const params: Parameter[] = [];
  if (!reader.takeIf('(')) return params;
  while (!reader.isAtEnd && !reader.takeIf(')')) {
    const variable = reader.take();
    if (!variable.startsWith('$') || !reader.takeIf(':')) continue;
    const kind = readKind(reader);
    params.push({ name: variable.slice(1), ...kind, nullable: reader.takeIf('?') });
  }
  return params;
}

function readKind(reader: TokenReader): Pick<Parameter, 'kind' | 'item_kind'> {
  if (reader.takeIf('[')) {
    const item_kind = kindOf(reader.take());
    reader.takeIf(']');
    return { kind: 'list', item_kind };
  }
  if (!reader.takeIf('Vector')) return { kind: kindOf(reader.take()) };
  reader.takeBrackets();
  return { kind: 'vector' };
}

function kindOf(scalar: string): string {
  return Object.entries(parameterKinds).find(([name]) => name === scalar)?.[1] ?? 'string';
}
