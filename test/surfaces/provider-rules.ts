import { type Described, typesOf } from '../helpers/example-arguments.js';

/** What a provider of language models has against a tool, each with where. */
export type Rules = (name: string, description: string, schema: Described) => readonly string[];

/** A schema inside a schema, with the way to it. */
interface Place {
  readonly path: string;
  readonly schema: Described;
}

function* placesIn(schema: Described, path = ''): Generator<Place> {
  yield { path: path === '' ? '(root)' : path, schema };
  for (const [name, described] of Object.entries(schema.properties ?? {})) {
    yield* placesIn(described, path === '' ? name : `${path}.${name}`);
  }
  if (schema.items !== undefined) yield* placesIn(schema.items, `${path}[]`);
  for (const described of schema.anyOf ?? []) yield* placesIn(described, path);
  if (typeof schema.additionalProperties === 'object')
    yield* placesIn(schema.additionalProperties, `${path}{}`);
}

function faultsIn(schema: Described, faultsOf: (schema: Described) => readonly string[]): readonly string[] {
  return [...placesIn(schema)].flatMap(({ path, schema: at }) =>
    faultsOf(at).map((fault) => `${path}: ${fault}`),
  );
}

function keywordsBut(allowed: ReadonlySet<string>, schema: Described): readonly string[] {
  return Object.keys(schema)
    .filter((keyword) => !allowed.has(keyword))
    .map((keyword) => `${keyword} is not permitted`);
}

/** What every function must be: https://platform.openai.com/docs/api-reference/chat/create, `tools[].function`. */
export const openaiFunction: Rules = (name, description, schema) => [
  ...(/^[a-zA-Z0-9_-]{1,64}$/.test(name) ? [] : ['the name is not permitted']),
  ...(description.length <= 1024 ? [] : [`a description of ${description.length} characters`]),
  ...(schema.type === 'object' && schema.properties !== undefined
    ? []
    : ['(root): not an object with properties']),
  ...(schema.anyOf === undefined ? [] : ['(root): anyOf is not permitted']),
  ...faultsIn(schema, ({ type, items }) =>
    typesIn(type).includes('array') && items === undefined ? ['array schema missing items'] : [],
  ),
];

const strictKeywords = new Set(
  'type properties required additionalProperties items enum const anyOf description title pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems $ref $defs'.split(
    ' ',
  ),
);
const strictFormats = new Set('date-time time date duration email hostname ipv4 ipv6 uuid'.split(' '));

/**
 * Strict mode: https://platform.openai.com/docs/guides/structured-outputs#supported-schemas. Judged after what clients do
 * to a schema to make it strict: every argument is required, and one that could be left out may be null.
 */
export const openaiStrict: Rules = (name, description, schema) => {
  const strict = madeStrict(schema);
  return [
    ...openaiFunction(name, description, schema),
    ...faultsIn(strict, (at) => [
      ...keywordsBut(strictKeywords, at),
      ...(at.format === undefined || strictFormats.has(at.format)
        ? []
        : [`format ${at.format} is not permitted`]),
      ...(typesOf(at).length > 0 ? [] : ['has no type']),
      ...(typesIn(at.type).includes('object') && at.additionalProperties !== false ? ['is not closed'] : []),
    ]),
    ...(depthOf(strict) <= 10 ? [] : ['more than ten levels']),
    ...(enumValuesIn(strict) <= 1000 ? [] : ['more than a thousand choices']),
  ];
};

function madeStrict(schema: Described): Described {
  const { properties, items, anyOf, required = [] } = schema;
  return {
    ...schema,
    ...(items === undefined ? {} : { items: madeStrict(items) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(madeStrict) }),
    ...(properties === undefined
      ? {}
      : {
          required: Object.keys(properties),
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, described]) => {
              const strict = madeStrict(described);
              return [name, required.includes(name) ? strict : { anyOf: [strict, { type: 'null' }] }];
            }),
          ),
        }),
  };
}

function depthOf({ properties = {}, items, anyOf = [] }: Described): number {
  const inside = [...Object.values(properties), ...(items === undefined ? [] : [items])].map(depthOf);
  return Math.max(1 + Math.max(0, ...inside), ...anyOf.map(depthOf));
}

function enumValuesIn(schema: Described): number {
  return [...placesIn(schema)].reduce((sum, { schema: at }) => sum + (at.enum?.length ?? 0), 0);
}

const geminiKeywords = new Set(
  'type format title description enum items prefixItems minItems maxItems properties required additionalProperties propertyOrdering minimum maximum anyOf'.split(
    ' ',
  ),
);
const geminiTypes = new Set(['string', 'integer', 'number', 'boolean', 'array', 'object', 'null']);

/**
 * The part of JSON Schema that Gemini takes in `parametersJsonSchema`:
 * https://ai.google.dev/gemini-api/docs/structured-output#json_schema_support. Choices are texts, a text is of no format
 * but `date-time`, an object says what is in it, and names begin with a letter or `_`.
 */
export const gemini: Rules = (name, _, schema) => [
  ...(/^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/.test(name) ? [] : ['the name is not permitted']),
  ...faultsIn(schema, (at) => [
    ...keywordsBut(geminiKeywords, at),
    ...typesIn(at.type).flatMap((type) => (geminiTypes.has(type) ? [] : [`type ${type} is not known`])),
    ...(at.format === undefined || at.format === 'date-time' ? [] : [`format ${at.format} is not permitted`]),
    ...((at.enum ?? []).every((value) => typeof value === 'string') ? [] : ['a choice that is no text']),
    ...(at.type === undefined && at.anyOf === undefined ? ['has no type'] : []),
    ...(typesIn(at.type).includes('object') && at.properties === undefined
      ? ['does not say what is in it']
      : []),
    ...(typesIn(at.type).includes('array') && at.items === undefined ? ['array schema missing items'] : []),
  ]),
];

function typesIn(type: Described['type']): readonly string[] {
  return typesOf(type === undefined ? {} : { type });
}

/** The `maxItems` of a schema added up: Gemini refuses requests whose tools have about 960 together. */
export function maxItemsIn(schema: Described): number {
  return [...placesIn(schema)].reduce(
    (sum, { schema: at }) => sum + Number(Reflect.get(at, 'maxItems') ?? 0),
    0,
  );
}
