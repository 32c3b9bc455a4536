import { listNames } from '../../model/quoting.js';
import type { EdgeType, GraphSchema, NodeType } from '../graph/graph-schema.js';
import type { RowProblem } from '../graph/rows/row-problem.js';

export function rowHint(
  schema: GraphSchema,
  kind: 'node' | 'edge',
  type: string,
  { code, property, suggestion }: RowProblem,
): string {
  const found: NodeType | EdgeType | undefined =
    kind === 'node' ? schema.nodes.get(type) : schema.edges.get(type.toLowerCase());
  const known = [...(kind === 'node' ? schema.nodes : schema.edges).values()].map(({ name }) => name);
  const properties = [...(found?.properties.keys() ?? [])];
  switch (code) {
    case 'unknown_type':
      return suggestion === undefined
        ? `Use one of: ${listNames(known)}.`
        : `Use ${suggestion}, or another of: ${listNames(known)}.`;
    case 'unknown_property':
      return properties.length === 0
        ? `${type} has no properties; say it as an observation of a node.`
        : `Use one of: ${listNames(properties)}; what is none of them can be said as an observation.`;
    case 'missing_property':
      return `Give ${property}, with a tool that takes properties: mutate, ingest or write_node.`;
    default:
      return `Give another value for ${property ?? 'it'}.`;
  }
}
