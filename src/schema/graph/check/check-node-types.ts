import type { Diagnostics } from '../../../language/diagnostics.js';
import { formatValueType } from '../../../language/format-value-type.js';
import type { Name } from '../../../language/literal.js';
import { graphSchemaLimits } from '../../../model/limits.js';
import type { InterfaceType, NodeType } from '../graph-schema.js';
import type { NodeDeclaration } from '../graph-schema-ast.js';
import { indexAnnotations, readAnnotations } from './check-annotations.js';
import { checkConstraints } from './check-constraints.js';
import { checkRenames, type DeclaredTypes } from './check-names.js';
import { checkProperties, type DeclaredProperty } from './check-properties.js';

interface CheckedInterface {
  readonly type: InterfaceType;
  readonly declared: ReadonlyMap<string, DeclaredProperty>;
}

export function checkInterfaces(
  { interfaces }: DeclaredTypes,
  diagnostics: Diagnostics,
): ReadonlyMap<string, CheckedInterface> {
  return new Map(
    [...interfaces].map(([name, { members }]) => {
      const declared = checkProperties(members, 'interface', diagnostics);
      const properties = new Map([...declared].map(([key, { property }]) => [key, property]));
      return [name, { type: { name, properties }, declared }];
    }),
  );
}

type Interfaces = ReadonlyMap<string, CheckedInterface>;

export function checkNodeTypes(
  declared: DeclaredTypes,
  interfaces: Interfaces,
  diagnostics: Diagnostics,
): ReadonlyMap<string, NodeType> {
  const types = [...declared.nodes.values()].map((tree) =>
    checkNodeType(tree, declared, interfaces, diagnostics),
  );
  checkRenames([...declared.nodes.values()], diagnostics);
  return new Map(types.map((type) => [type.name, type]));
}

function checkNodeType(
  tree: NodeDeclaration,
  declared: DeclaredTypes,
  interfaces: Interfaces,
  diagnostics: Diagnostics,
): NodeType {
  const byName = indexAnnotations(tree.annotations, 'node', diagnostics);
  const properties = inheritProperties(tree, declared, interfaces, diagnostics);
  checkEmbedding(properties, diagnostics);
  return {
    name: tree.name.text,
    implements: tree.implements.map(({ text }) => text),
    properties: new Map([...properties].map(([name, { property }]) => [name, property])),
    ...checkConstraints({ tree, properties, owner: 'node' }, diagnostics),
    ...readAnnotations(tree.annotations, byName, diagnostics),
  };
}

/** The properties of the interfaces, then its own; a redeclared property must have the same type. */
function inheritProperties(
  tree: NodeDeclaration,
  declared: DeclaredTypes,
  interfaces: Interfaces,
  diagnostics: Diagnostics,
): ReadonlyMap<string, DeclaredProperty> {
  const all = new Map<string, DeclaredProperty>();
  const seen = new Set<string>();
  for (const name of tree.implements) {
    if (seen.has(name.text)) diagnostics.add(name.at, 'duplicate_interface', `${name.text} is listed twice.`);
    seen.add(name.text);
    const found = interfaces.get(name.text);
    if (found === undefined) reportUnknownInterface(name, declared, diagnostics);
    else if (all.size <= graphSchemaLimits.properties)
      addProperties(
        all,
        found.declared,
        (other) => `${name.text}.${other.property.name}`,
        name.at,
        diagnostics,
      );
  }
  const own = checkProperties(
    tree.members.filter((member) => member.kind === 'property'),
    'node',
    diagnostics,
  );
  addProperties(all, own, (other) => other.property.name, undefined, diagnostics);
  if (all.size > graphSchemaLimits.properties)
    diagnostics.add(tree.at, 'too_many', `A type has at most ${graphSchemaLimits.properties} properties.`);
  return all;
}

function addProperties(
  all: Map<string, DeclaredProperty>,
  added: ReadonlyMap<string, DeclaredProperty>,
  nameOf: (property: DeclaredProperty) => string,
  at: number | undefined,
  diagnostics: Diagnostics,
): void {
  for (const [name, property] of added) {
    const before = all.get(name);
    if (
      before !== undefined &&
      formatValueType(before.property.type) !== formatValueType(property.property.type)
    ) {
      const types = `${formatValueType(property.property.type)}, but another declaration says ${formatValueType(before.property.type)}`;
      diagnostics.add(
        at ?? property.name.at,
        'property_conflict',
        `${nameOf(property)} is ${types}; both must have the same type.`,
        { expected: [formatValueType(before.property.type)] },
      );
    }
    all.set(name, before === undefined ? property : mergeProperty(before, property));
  }
}

/** A node that redeclares a property of an interface adds to it and overrides it, but removes nothing. */
function mergeProperty(before: DeclaredProperty, after: DeclaredProperty): DeclaredProperty {
  const [old, next] = [before.property, after.property];
  return {
    property: {
      ...next,
      default: next.default ?? old.default,
      embedFrom: next.embedFrom ?? old.embedFrom,
      embedModel: next.embedModel ?? old.embedModel,
      description: next.description ?? old.description,
      instruction: next.instruction ?? old.instruction,
      renamedFrom: next.renamedFrom ?? old.renamedFrom,
      annotations: [...old.annotations, ...next.annotations],
    },
    name: after.name,
    marks: {
      key: after.marks.key ?? before.marks.key,
      unique: after.marks.unique ?? before.marks.unique,
      index: after.marks.index ?? before.marks.index,
    },
    embedAt: after.embedAt ?? before.embedAt,
    defaultAt: after.defaultAt ?? before.defaultAt,
  };
}

function reportUnknownInterface(
  { text, at }: Name,
  { nodes, interfaces }: DeclaredTypes,
  diagnostics: Diagnostics,
): void {
  if (nodes.has(text)) {
    diagnostics.add(at, 'not_an_interface', `${text} is a node; only interfaces can be implemented.`);
    return;
  }
  diagnostics.add(at, 'unknown_type', `There is no interface ${text}.`, {
    meant: text,
    among: interfaces.keys(),
    expected: ['an interface'],
  });
}

/** `@embed` fills a vector from a String property of the same node. */
function checkEmbedding(properties: ReadonlyMap<string, DeclaredProperty>, diagnostics: Diagnostics): void {
  for (const { property, embedAt } of properties.values()) {
    if (embedAt === undefined || property.embedFrom === null) continue;
    if (property.type.kind !== 'vector')
      diagnostics.add(
        embedAt,
        'bad_embed',
        `@embed requires a Vector property; ${property.name} is not one.`,
      );
    const from = properties.get(property.embedFrom)?.property;
    if (from === undefined) {
      diagnostics.add(embedAt, 'unknown_property', `There is no property ${property.embedFrom} to embed.`, {
        meant: property.embedFrom,
        among: properties.keys(),
      });
    } else if (from.type.kind !== 'scalar' || from.type.scalar !== 'String') {
      diagnostics.add(
        embedAt,
        'bad_embed',
        `@embed requires a String property as its source; ${from.name} is not one.`,
        { expected: ['String'] },
      );
    }
  }
}
