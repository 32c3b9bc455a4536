import { defaultWeight } from '../../../model/edge.js';
import type { ForeignMember } from './foreign-members.js';
import type { EdgeContent, LineFormat, NodeContent } from './line-record.js';

type Member = readonly [key: string, value: unknown];

/** The line of a node, without its newline: fixed keys, then what the format has no key for, then what was not ours. */
export function printNode(
  node: NodeContent,
  format: LineFormat,
  foreign: readonly ForeignMember[] = [],
): string {
  const fixed: Member[] =
    format === 'memory'
      ? [
          ['type', 'entity'],
          ['name', node.name],
          ['entityType', node.type],
          ['observations', node.observations],
        ]
      : [
          ['type', 'node'],
          ['name', node.name],
          ['nodeType', node.type],
          ['metadata', node.observations],
        ];
  if (node.summary !== null) fixed.push(['summary', node.summary]);
  if (node.tags.length > 0) fixed.push(['tags', node.tags]);
  if (Object.keys(node.props).length > 0) fixed.push(['props', node.props]);
  return printMembers(fixed, foreign);
}

export function printEdge(
  edge: EdgeContent,
  format: LineFormat,
  foreign: readonly ForeignMember[] = [],
): string {
  const fixed: Member[] =
    format === 'memory'
      ? [
          ['type', 'relation'],
          ['from', edge.from],
          ['to', edge.to],
          ['relationType', edge.type],
        ]
      : [
          ['type', 'edge'],
          ['from', edge.from],
          ['to', edge.to],
          ['edgeType', edge.type],
          ['weight', edge.weight],
        ];
  if (format === 'memory' && edge.weight !== defaultWeight) fixed.push(['weight', edge.weight]);
  if (edge.key !== '') fixed.push(['key', edge.key]);
  if (Object.keys(edge.props).length > 0) fixed.push(['props', edge.props]);
  return printMembers(fixed, foreign);
}

function printMembers(own: readonly Member[], foreign: readonly ForeignMember[]): string {
  const printed = own.map(([key, value]) => `"${key}":${JSON.stringify(value)}`);
  for (const { key, source } of foreign) {
    // A key printed twice would win over ours when the line is read.
    if (!own.some(([ownKey]) => ownKey === key)) printed.push(`${JSON.stringify(key)}:${source}`);
  }
  return `{${printed.join(',')}}`;
}
