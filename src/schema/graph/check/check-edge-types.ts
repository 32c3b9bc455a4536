import type { Diagnostics } from '../../../language/diagnostics.js';
import type { Name } from '../../../language/literal.js';
import { graphSchemaLimits } from '../../../model/limits.js';
import type { EdgeType } from '../graph-schema.js';
import type { CardinalityClause, EdgeDeclaration } from '../graph-schema-ast.js';
import { indexAnnotations, readAnnotations } from './check-annotations.js';
import { checkConstraints } from './check-constraints.js';
import { checkRenames, type DeclaredTypes } from './check-names.js';
import { checkProperties } from './check-properties.js';

/** By lower-cased name. */
export function checkEdgeTypes(
  declared: DeclaredTypes,
  diagnostics: Diagnostics,
): ReadonlyMap<string, EdgeType> {
  checkRenames([...declared.edges.values()], diagnostics);
  return new Map(
    [...declared.edges].map(([name, tree]) => [name, checkEdgeType(tree, declared, diagnostics)]),
  );
}

function checkEdgeType(tree: EdgeDeclaration, declared: DeclaredTypes, diagnostics: Diagnostics): EdgeType {
  checkEndpoint(tree.from, declared, diagnostics);
  checkEndpoint(tree.to, declared, diagnostics);
  const byName = indexAnnotations(tree.annotations, 'edge', diagnostics);
  const trees = tree.members.filter((member) => member.kind === 'property');
  const properties = checkProperties(trees, 'edge', diagnostics);
  if (properties.size > graphSchemaLimits.properties)
    diagnostics.add(tree.at, 'too_many', `A type has at most ${graphSchemaLimits.properties} properties.`);
  for (const { property, embedAt } of properties.values())
    if (embedAt !== undefined)
      diagnostics.add(
        embedAt,
        'bad_embed',
        `@embed is only allowed on node properties; ${property.name} is an edge property.`,
      );
  const constraints = checkConstraints({ tree, properties, owner: 'edge' }, diagnostics);
  return {
    name: tree.name.text,
    from: tree.from.text,
    to: tree.to.text,
    cardinality: checkCardinality(tree.cardinality, diagnostics),
    properties: new Map([...properties].map(([name, { property }]) => [name, property])),
    ...constraints,
    ...readAnnotations(tree.annotations, byName, diagnostics),
  };
}

function checkEndpoint(
  { text, at }: Name,
  { nodes, interfaces }: DeclaredTypes,
  diagnostics: Diagnostics,
): void {
  if (nodes.has(text)) return;
  if (interfaces.has(text)) {
    diagnostics.add(at, 'not_a_node', `${text} is an interface; an edge connects nodes.`);
    return;
  }
  diagnostics.add(at, 'unknown_type', `There is no node type ${text}.`, {
    meant: text,
    among: nodes.keys(),
    expected: ['a node'],
  });
}

function checkCardinality(tree: CardinalityClause | null, diagnostics: Diagnostics): EdgeType['cardinality'] {
  if (tree === null) return { min: 0, max: null };
  const { min, max, at } = tree;
  if (max !== null && (max < min || max === 0))
    diagnostics.add(at, 'bad_cardinality', `@card(${min}..${max}) cannot be satisfied.`);
  return { min, max };
}
