import type { Diagnostics } from '../../../language/diagnostics.js';
import type { Name } from '../../../language/literal.js';
import { graphSchemaLimits } from '../../../model/limits.js';
import type { EdgeType } from '../graph-schema.js';
import type { CardinalityClause, EdgeDeclaration } from '../graph-schema-ast.js';
import { indexAnnotations, readAnnotations } from './check-annotations.js';
import { checkConstraints } from './check-constraints.js';
import type { DeclaredTypes } from './check-names.js';
import { checkProperties } from './check-properties.js';
import { checkRenames } from './check-renames.js';

/** The types of edges by lower-cased name. */
export function checkEdgeTypes(
  declared: DeclaredTypes,
  findings: Diagnostics,
): ReadonlyMap<string, EdgeType> {
  checkRenames([...declared.edges.values()], findings);
  return new Map([...declared.edges].map(([name, tree]) => [name, checkEdgeType(tree, declared, findings)]));
}

function checkEdgeType(tree: EdgeDeclaration, declared: DeclaredTypes, findings: Diagnostics): EdgeType {
  checkEndpoint(tree.from, declared, findings);
  checkEndpoint(tree.to, declared, findings);
  const sorted = indexAnnotations(tree.annotations, 'edge', findings);
  const trees = tree.members.filter((member) => member.kind === 'property');
  const properties = checkProperties(trees, 'edge', findings);
  if (properties.size > graphSchemaLimits.properties)
    findings.add(tree.at, 'too_many', `A type has at most ${graphSchemaLimits.properties} properties.`);
  for (const { property, embedAt } of properties.values())
    if (embedAt !== undefined)
      findings.add(
        embedAt,
        'bad_embed',
        `${property.name} is a property of an edge, and @embed is for nodes.`,
      );
  const constraints = checkConstraints({ tree, properties, owner: 'edge' }, findings);
  return {
    name: tree.name.text,
    from: tree.from.text,
    to: tree.to.text,
    cardinality: checkCardinality(tree.cardinality, findings),
    properties: new Map([...properties].map(([name, { property }]) => [name, property])),
    ...constraints,
    ...readAnnotations(tree.annotations, sorted, findings),
  };
}

function checkEndpoint(
  { text, at }: Name,
  { nodes, interfaces }: DeclaredTypes,
  findings: Diagnostics,
): void {
  if (nodes.has(text)) return;
  if (interfaces.has(text)) {
    findings.add(at, 'not_a_node', `${text} is an interface; an edge leads from a node to a node.`);
    return;
  }
  findings.add(at, 'unknown_type', `There is no node ${text}.`, {
    meant: text,
    among: nodes.keys(),
    expected: ['a node'],
  });
}

function checkCardinality(tree: CardinalityClause | null, findings: Diagnostics): EdgeType['cardinality'] {
  if (tree === null) return { min: 0, max: null };
  const { min, max, at } = tree;
  if (max !== null && (max < min || max === 0))
    findings.add(at, 'bad_cardinality', `@card(${min}..${max}) allows no number of edges.`);
  return { min, max };
}
