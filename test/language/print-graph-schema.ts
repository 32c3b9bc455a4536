import { formatEnumValue } from '../../src/language/format-value-type.js';
import { printLiteral } from '../../src/language/literal.js';
import type {
  ConstraintArgument,
  DeclarationMember,
  EdgeDeclaration,
  GraphSchemaAst,
  SchemaAnnotation,
  SchemaDeclaration,
  TypeExpression,
} from '../../src/schema/graph/graph-schema-ast.js';

/** A schema as text that parses to the same tree; comments and the author's spacing are gone. */
export function printGraphSchema({ declarations }: GraphSchemaAst): string {
  return declarations.map((declaration) => `${printDeclaration(declaration)}\n`).join('\n');
}

function printDeclaration(declaration: SchemaDeclaration): string {
  const { kind, name, members } = declaration;
  switch (declaration.kind) {
    case 'interface':
      return `${kind} ${name.text} ${printBody(members)}`;
    case 'node': {
      const interfaces = declaration.implements.map(({ text }) => text).join(', ');
      const implemented = interfaces === '' ? '' : ` implements ${interfaces}`;
      const annotations = printAnnotations(declaration.annotations);
      return `${kind} ${name.text}${annotations}${implemented} ${printBody(members)}`;
    }
    case 'edge':
      return `${printEdgeHead(declaration)}${members.length === 0 ? '' : ` ${printBody(members)}`}`;
  }
}

function printEdgeHead({ name, from, to, cardinality, annotations }: EdgeDeclaration): string {
  const card = cardinality === null ? '' : ` @card(${cardinality.min}..${cardinality.max ?? ''})`;
  return `edge ${name.text}: ${from.text} -> ${to.text}${card}${printAnnotations(annotations)}`;
}

function printBody(members: readonly DeclarationMember[]): string {
  if (members.length === 0) return '{}';
  return `{\n${members.map((member) => `  ${printMember(member)}\n`).join('')}}`;
}

function printMember(member: DeclarationMember): string {
  if (member.kind === 'constraint') return `@${member.name}(${member.args.map(printArgument).join(', ')})`;
  return `${member.name.text}: ${printType(member.type)}${printAnnotations(member.annotations)}`;
}

function printType(type: TypeExpression): string {
  return `${printPlainType(type)}${type.nullable ? '?' : ''}`;
}

function printPlainType(type: TypeExpression): string {
  switch (type.kind) {
    case 'scalar':
      return type.name.text;
    case 'list':
      return `[${type.of.text}]`;
    case 'vector':
      return `Vector(${type.dimension})`;
    case 'enum':
      return `enum(${type.values.map(({ text }) => formatEnumValue(text)).join(', ')})`;
  }
}

function printArgument(argument: ConstraintArgument): string {
  if (argument.kind === 'name') return argument.text;
  if (argument.kind === 'range') return `${argument.min ?? ''}..${argument.max ?? ''}`;
  return printLiteral(argument);
}

function printAnnotations(annotations: readonly SchemaAnnotation[]): string {
  return annotations.map((annotation) => ` ${printAnnotation(annotation)}`).join('');
}

function printAnnotation({ name, value, named }: SchemaAnnotation): string {
  const args = [
    ...(value === null ? [] : [printArgument(value)]),
    ...named.map((pair) => `${pair.name.text}: ${printLiteral(pair.value)}`),
  ];
  return `@${name.text}${args.length === 0 ? '' : `(${args.join(', ')})`}`;
}
