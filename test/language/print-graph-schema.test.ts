import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Literal } from '../../src/language/literal.js';
import type {
  ConstraintArgument,
  DeclarationMember,
  GraphSchemaAst,
  SchemaAnnotation,
  SchemaDeclaration,
  TypeExpression,
} from '../../src/schema/graph/graph-schema-ast.js';
import { parseGraphSchemaAst } from '../../src/schema/graph/parse-graph-schema.js';
import { printGraphSchema } from './print-graph-schema.js';
import { withoutPlaces } from './without-places.js';

const at = 0;
const name = (text: string) => ({ text, at });
const ident = fc.stringMatching(/^[a-z_][A-Za-z0-9_]{0,8}$/);
const typeName = fc.stringMatching(/^[A-Z][A-Za-z0-9_]{0,8}$/);
const text = fc
  .string({ unit: 'binary', maxLength: 12 })
  .filter((value) => value.isWellFormed() && !value.includes('\0'));
const integer = fc.nat(2 ** 31);
const number = fc.oneof(
  fc.bigInt().map(String),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((value) => (Object.is(value, -0) ? '0' : String(value))),
);

const literal: fc.Arbitrary<Literal> = fc.letrec<{ literal: Literal }>((tie) => ({
  literal: fc.oneof(
    { depthSize: 'small' },
    fc.record({ kind: fc.constantFrom('string', 'date', 'datetime'), text, at: fc.constant(at) }),
    fc.record({ kind: fc.constant('number' as const), text: number, at: fc.constant(at) }),
    fc.record({ kind: fc.constant('boolean' as const), value: fc.boolean(), at: fc.constant(at) }),
    fc.record({
      kind: fc.constant('list' as const),
      items: fc.array(tie('literal'), { maxLength: 3 }),
      at: fc.constant(at),
    }),
  ),
})).literal;

const word = (texts: fc.Arbitrary<string>) =>
  // `true` is a literal.
  texts
    .filter((value) => !/^(true|false)$/.test(value))
    .map((value) => ({ kind: 'name' as const, text: value, at }));

const constraints = ['key', 'unique', 'index', 'range', 'check'] as const;

const annotation: fc.Arbitrary<SchemaAnnotation> = fc.record({
  kind: fc.constant('annotation'),
  name: fc.oneof(ident, fc.constantFrom('description', 'rename_from', 'embed', 'default')).map(name),
  value: fc.option(fc.oneof(literal, word(fc.oneof(ident, typeName)))),
  named: fc.array(fc.record({ name: ident.map(name), value: literal }), { maxLength: 3 }),
  at: fc.constant(at),
});

/** What has arguments and the name of a constraint is one, and `card` is the edges' own. */
const onProperty = annotation.filter(
  (tree) =>
    tree.name.text !== 'card' &&
    (!constraints.some((constraint) => constraint === tree.name.text) ||
      (tree.value === null && tree.named.length === 0)),
);

const type: fc.Arbitrary<TypeExpression> = fc
  .tuple(
    fc.oneof(
      typeName
        .filter((value) => value !== 'Vector')
        .map((value) => ({ kind: 'scalar' as const, name: name(value) })),
      typeName.map((value) => ({ kind: 'list' as const, of: name(value) })),
      fc
        .array(text, { minLength: 1, maxLength: 4 })
        .map((values) => ({ kind: 'enum' as const, values: values.map(name) })),
      integer.map((dimension) => ({ kind: 'vector' as const, dimension })),
    ),
    fc.boolean(),
  )
  .map(([plain, nullable]) => ({ ...plain, nullable, at }));

const property = fc.record({
  kind: fc.constant('property' as const),
  name: ident.map(name),
  type,
  annotations: fc.array(onProperty, { maxLength: 3 }),
});

/** Constraints name properties, which may be called `true`. */
const argument: fc.Arbitrary<ConstraintArgument> = fc.oneof(
  literal.filter(({ kind }) => kind !== 'boolean'),
  fc
    .oneof(ident, fc.constantFrom('true', 'false'))
    .map((value) => ({ kind: 'name' as const, text: value, at })),
  fc.record({
    kind: fc.constant('range' as const),
    min: fc.option(number),
    max: fc.option(number),
    at: fc.constant(at),
  }),
);

const member: fc.Arbitrary<DeclarationMember> = fc.oneof(
  property,
  fc.record({
    kind: fc.constant('constraint' as const),
    name: fc.constantFrom(...constraints),
    args: fc.array(argument, { minLength: 1, maxLength: 3 }),
    at: fc.constant(at),
  }),
);

const declaration: fc.Arbitrary<SchemaDeclaration> = fc.oneof(
  fc.record({
    kind: fc.constant('interface' as const),
    name: typeName.map(name),
    members: fc.array(property, { maxLength: 4 }),
    at: fc.constant(at),
  }),
  fc.record({
    kind: fc.constant('node' as const),
    name: typeName.map(name),
    annotations: fc.array(onProperty, { maxLength: 2 }),
    implements: fc.array(typeName.map(name), { maxLength: 3 }),
    members: fc.array(member, { maxLength: 4 }),
    at: fc.constant(at),
  }),
  fc.record({
    kind: fc.constant('edge' as const),
    name: typeName.map(name),
    from: typeName.map(name),
    to: typeName.map(name),
    cardinality: fc.option(
      fc.record({
        kind: fc.constant('cardinality' as const),
        min: integer,
        max: fc.option(integer),
        at: fc.constant(at),
      }),
    ),
    annotations: fc.array(onProperty, { maxLength: 2 }),
    members: fc.array(member, { maxLength: 4 }),
    at: fc.constant(at),
  }),
);

test('whatever a tree says, its text parses to the same tree', () => {
  fc.assert(
    fc.property(fc.array(declaration, { maxLength: 4 }), (declarations) => {
      const tree: GraphSchemaAst = { declarations };
      expect(withoutPlaces(parseGraphSchemaAst({ text: printGraphSchema(tree) }))).toEqual(
        withoutPlaces(tree),
      );
    }),
    { numRuns: 1000 },
  );
});

test('a schema is printed a property a line', () => {
  const source =
    'interface I{a:String} node N @description("d") implements I{b:enum(x,"y z")? @default(x),@range(n,1..)n:F64} edge E:N->N @card(0..1)';
  expect(printGraphSchema(parseGraphSchemaAst({ text: source }))).toBe(`interface I {
  a: String
}

node N @description("d") implements I {
  b: enum(x, "y z")? @default(x)
  @range(n, 1..)
  n: F64
}

edge E: N -> N @card(0..1)
`);
});
