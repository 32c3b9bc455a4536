import type { Diagnostics } from '../../../language/diagnostics.js';
import type { Name } from '../../../language/literal.js';
import { graphSchemaLimits } from '../../../model/limits.js';
import type { CardinalityTree, EdgeTree } from '../ast.js';
import type { EdgeType } from '../graph-schema.js';
import { describe, sortAnnotations } from './annotations.js';
import { checkConstraints } from './constraints.js';
import type { Declared } from './names.js';
import { checkProperties } from './properties.js';
import { checkRenames } from './renames.js';

/** The types of edges by lower-cased name. */
export function checkEdges(declared: Declared, findings: Diagnostics): ReadonlyMap<string, EdgeType> {
  checkRenames([...declared.edges.values()], findings);
  return new Map([...declared.edges].map(([name, tree]) => [name, checkEdge(tree, declared, findings)]));
}

function checkEdge(tree: EdgeTree, declared: Declared, findings: Diagnostics): EdgeType {
  checkEnd(tree.from, declared, findings);
  checkEnd(tree.to, declared, findings);
  const sorted = sortAnnotations(tree.annotations, 'edge', findings);
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
    ...describe(tree.annotations, sorted, findings),
  };
}

function checkEnd({ text, at }: Name, { nodes, interfaces }: Declared, findings: Diagnostics): void {
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

function checkCardinality(tree: CardinalityTree | null, findings: Diagnostics): EdgeType['cardinality'] {
  if (tree === null) return { min: 0, max: null };
  const { min, max, at } = tree;
  if (max !== null && (max < min || max === 0))
    findings.add(at, 'bad_cardinality', `@card(${min}..${max}) allows no number of edges.`);
  return { min, max };
}
