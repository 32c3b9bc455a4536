import type { Diagnostics } from '../../../language/diagnostics.js';
import type { Name } from '../../../language/literal.js';
import { graphSchemaLimits } from '../../../model/limits.js';
import { type Scalar, scalars, type ValueType } from '../../../model/value-type.js';
import type { TypeExpression } from '../graph-schema-ast.js';

/** Names that other languages use: not accepted, but suggested. */
const scalarAliases: ReadonlyMap<string, Scalar> = new Map([
  ['text', 'String'],
  ['str', 'String'],
  ['varchar', 'String'],
  ['bytes', 'Blob'],
  ['boolean', 'Bool'],
  ['int', 'I32'],
  ['integer', 'I32'],
  ['long', 'I64'],
  ['bigint', 'I64'],
  ['float', 'F64'],
  ['double', 'F64'],
  ['number', 'F64'],
  ['timestamp', 'DateTime'],
]);

export function checkValueType(tree: TypeExpression, diagnostics: Diagnostics): ValueType | undefined {
  const { nullable } = tree;
  switch (tree.kind) {
    case 'scalar': {
      const scalar = checkScalar(tree.name, diagnostics);
      return scalar && { kind: 'scalar', scalar, nullable };
    }
    case 'list': {
      const of = checkScalar(tree.of, diagnostics);
      return of && { kind: 'list', of, nullable };
    }
    case 'enum':
      return { kind: 'enum', values: checkEnumValues(tree.values, diagnostics), nullable };
    case 'vector':
      checkDimension(tree, diagnostics);
      return { kind: 'vector', dimension: tree.dimension, nullable };
  }
}

function checkScalar({ text, at }: Name, diagnostics: Diagnostics): Scalar | undefined {
  const scalar = scalars.find((name) => name === text);
  if (scalar !== undefined) return scalar;
  const alias = scalarAliases.get(text.toLowerCase());
  diagnostics.add(at, 'unknown_value_type', `Unknown value type ${text}.`, {
    meant: alias ?? text,
    among: scalars,
    expected: [...scalars, 'enum(…)', 'Vector(…)'],
  });
  return undefined;
}

function checkEnumValues(values: readonly Name[], diagnostics: Diagnostics): readonly string[] {
  const { enumValues, enumValueLength } = graphSchemaLimits;
  const extra = values[enumValues];
  if (extra !== undefined) diagnostics.add(extra.at, 'too_many', `An enum has at most ${enumValues} values.`);
  const seen = new Set<string>();
  for (const { text, at } of values) {
    if (seen.has(text))
      diagnostics.add(at, 'duplicate_value', `${JSON.stringify(text)} is listed twice in this enum.`);
    if (text === '' || text.length > enumValueLength)
      diagnostics.add(at, 'bad_enum_value', `An enum value must have 1 to ${enumValueLength} characters.`);
    seen.add(text);
  }
  return [...seen];
}

function checkDimension(
  { dimension, at }: TypeExpression & { kind: 'vector' },
  diagnostics: Diagnostics,
): void {
  const { vectorDimension } = graphSchemaLimits;
  if (dimension < 1 || dimension > vectorDimension)
    diagnostics.add(at, 'bad_vector', `A vector must have 1 to ${vectorDimension} numbers.`);
}
