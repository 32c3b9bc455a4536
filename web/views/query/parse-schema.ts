import { TokenReader, tokensOf } from './tokens.js';

export interface SchemaProperty {
  readonly name: string;
  readonly type: string;
  readonly isKey: boolean;
}

export interface SchemaType {
  readonly kind: 'node' | 'interface';
  readonly name: string;
  readonly implements: readonly string[];
  readonly properties: readonly SchemaProperty[];
}

export interface SchemaEdge {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly properties: readonly SchemaProperty[];
}

export interface Schema {
  readonly types: readonly SchemaType[];
  readonly edges: readonly SchemaEdge[];
}

/** The outline of a `.pg` schema that the server has accepted. */
export function parseSchema(source: string): Schema {
  const reader = new TokenReader(tokensOf(source));
  const types: SchemaType[] = [];
  const edges: SchemaEdge[] = [];
  while (!reader.isAtEnd) {
    const kind = reader.take();
    if (kind === 'node' || kind === 'interface') types.push(readType(reader, kind));
    else if (kind === 'edge') edges.push(readEdge(reader));
  }
  return { types: types.map((type) => withInherited(type, types)), edges };
}

function readType(reader: TokenReader, kind: SchemaType['kind']): SchemaType {
  const name = reader.take();
  skipAnnotations(reader);
  const implemented: string[] = [];
  if (reader.takeIf('implements'))
    do implemented.push(reader.take());
    while (reader.takeIf(','));
  return { kind, name, implements: implemented, properties: readBody(reader) };
}

function readEdge(reader: TokenReader): SchemaEdge {
  const name = reader.take();
  reader.takeIf(':');
  const from = reader.take();
  reader.takeIf('->');
  const to = reader.take();
  skipAnnotations(reader);
  return { name, from, to, properties: reader.peek() === '{' ? readBody(reader) : [] };
}

function readBody(reader: TokenReader): readonly SchemaProperty[] {
  if (!reader.takeIf('{')) return [];
  const properties: SchemaProperty[] = [];
  const keys = new Set<string>();
  while (!reader.isAtEnd && !reader.takeIf('}')) {
    if (reader.takeIf(',')) continue;
    if (reader.takeIf('@')) {
      const name = reader.take();
      const given = reader.takeBrackets();
      if (name === 'key') for (const key of given.match(/\w+/g) ?? []) keys.add(key);
      continue;
    }
    const name = reader.take();
    reader.takeIf(':');
    const type = reader.peek() === '[' ? reader.takeBrackets() : reader.take() + reader.takeBrackets();
    properties.push({ name, type: reader.takeIf('?') ? `${type}?` : type, isKey: skipAnnotations(reader) });
  }
  return properties.map((property) => (keys.has(property.name) ? { ...property, isKey: true } : property));
}

/** Whether one of them is `@key`; `@key(…)` is a line of its own. */
function skipAnnotations(reader: TokenReader): boolean {
  let isKey = false;
  while (reader.peek() === '@' && !(reader.peek(1) === 'key' && reader.peek(2) === '(')) {
    reader.take();
    isKey = reader.take() === 'key' || isKey;
    if (reader.peek() === '(') reader.takeBrackets();
  }
  return isKey;
}

function withInherited(type: SchemaType, all: readonly SchemaType[]): SchemaType {
  const own = new Set(type.properties.map(({ name }) => name));
  const inherited = all
    .filter(({ kind, name }) => kind === 'interface' && type.implements.includes(name))
    .flatMap(({ properties }) => properties.filter(({ name }) => !own.has(name)));
  return { ...type, properties: [...type.properties, ...inherited] };
}
