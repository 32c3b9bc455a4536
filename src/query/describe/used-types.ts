import type { GraphSchema } from '../../schema/graph/graph-schema.js';
import type {
  CheckedBlock,
  CheckedCondition,
  CheckedExpression,
  CheckedMutation,
  CheckedRead,
  CheckedStatement,
} from '../check/checked-query.js';

/** In alphabetical order; `*` for any type, on a graph without a schema. */
export interface TypeNames {
  readonly nodes: readonly string[];
  readonly edges: readonly string[];
}

const any = ['*'];

/** What a query may look at: a mutation also looks at what it writes, and at the ends of an edge. */
export function typesRead(body: CheckedRead | CheckedMutation, schema: GraphSchema | null): TypeNames {
  const written = typesWritten(body, schema);
  const blocks =
    body.kind === 'read'
      ? [body.match, ...[...body.columns, ...body.order].flatMap(({ expression }) => blocksOf(expression))]
      : body.statements.flatMap((statement) => ('block' in statement ? [statement.block] : []));
  const all = blocks.flatMap(withInnerBlocks);
  return {
    nodes: sorted([
      ...written.nodes,
      ...endsOfInserted(body, schema),
      ...all.flatMap(({ nodes }) => nodes.flatMap(({ types }) => types ?? any)),
    ]),
    edges: sorted([...written.edges, ...all.flatMap(({ hops }) => hops.map(({ edge }) => edge))]),
  };
}

export function typesWritten(body: CheckedRead | CheckedMutation, schema: GraphSchema | null): TypeNames {
  const statements = body.kind === 'read' ? [] : body.statements;
  const ofNodes = statements.filter(isOfNode);
  const ofEdges = statements.filter((statement) => !isOfNode(statement));
  const deleted = ofNodes.filter(({ kind }) => kind === 'delete').map(({ type }) => type);
  return {
    nodes: sorted(ofNodes.map(({ type }) => type)),
    edges: sorted([
      ...ofEdges.map(({ type }) => type),
      ...deleted.flatMap((type) => edgesOfNodeType(type, schema)),
    ]),
  };
}

function endsOfInserted(body: CheckedRead | CheckedMutation, schema: GraphSchema | null): readonly string[] {
  if (body.kind === 'read') return [];
  const inserted = body.statements.filter(({ kind }) => kind === 'insert-edge');
  if (schema === null) return inserted.length === 0 ? [] : any;
  const names = new Set(inserted.map(({ type }) => type));
  return [...schema.edges.values()].flatMap(({ name, from, to }) => (names.has(name) ? [from, to] : []));
}

function isOfNode(statement: CheckedStatement): boolean {
  return statement.kind === 'insert-node' || ('of' in statement && statement.of === 'node');
}

/** They go with a deleted node. */
function edgesOfNodeType(type: string, schema: GraphSchema | null): readonly string[] {
  if (schema === null) return any;
  return [...schema.edges.values()]
    .filter(({ from, to }) => from === type || to === type)
    .map(({ name }) => name);
}

function withInnerBlocks(block: CheckedBlock): readonly CheckedBlock[] {
  return [block, ...block.conditions.flatMap(blocksIn).flatMap(withInnerBlocks)];
}

function blocksIn(condition: CheckedCondition): readonly CheckedBlock[] {
  switch (condition.kind) {
    case 'exists':
      return [condition.block];
    case 'and':
    case 'or':
      return condition.conditions.flatMap(blocksIn);
    case 'not':
      return blocksIn(condition.condition);
    case 'compare':
      return [condition.left, condition.right].flatMap(blocksOf);
    case 'is-null':
      return blocksOf(condition.operand);
    default:
      return [];
  }
}

function blocksOf(expression: CheckedExpression): readonly CheckedBlock[] {
  switch (expression.kind) {
    case 'truth':
      return blocksIn(expression.condition);
    case 'block-aggregate':
      return [expression.block, ...(expression.of === null ? [] : blocksOf(expression.of))];
    case 'aggregate':
      return 'type' in expression.of ? blocksOf(expression.of) : [];
    default:
      return [];
  }
}

function sorted(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort();
}
