import { defaultWeight } from '../../../model/edge.js';
import type { ForeignMember } from './foreign-members.js';
import type { EdgeContent, LineFormat, NodeContent } from './line-record.js';

/** The line of a node, without its newline: fixed keys, then optional ones, then those that are not ours. */
export function printNode(
  { name, type, observations, summary, tags, props }: NodeContent,
  format: LineFormat,
  foreign: readonly ForeignMember[] = [],
): string {
  const fixed =
    format === 'memory'
      ? { type: 'entity', name, entityType: type, observations }
      : { type: 'node', name, nodeType: type, metadata: observations };
  const own = {
    ...fixed,
    ...(summary === null ? {} : { summary }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(Object.keys(props).length === 0 ? {} : { props }),
  };
  return printMembers(own, foreign);
}

export function printEdge(
  { from, to, type, key, weight, props }: EdgeContent,
  format: LineFormat,
  foreign: readonly ForeignMember[] = [],
): string {
  const fixed =
    format === 'memory'
      ? { type: 'relation', from, to, relationType: type, ...(weight === defaultWeight ? {} : { weight }) }
      : { type: 'edge', from, to, edgeType: type, weight };
  const own = {
    ...fixed,
    ...(key === '' ? {} : { key }),
    ...(Object.keys(props).length === 0 ? {} : { props }),
  };
  return printMembers(own, foreign);
}

function printMembers(own: object, foreign: readonly ForeignMember[]): string {
  // A key printed twice would win over ours when the line is read.
  const added = foreign.filter(({ key }) => !Object.hasOwn(own, key));
  const printed = added.map(({ key, source }) => `,${JSON.stringify(key)}:${source}`);
  return `${JSON.stringify(own).slice(0, -1)}${printed.join('')}}`;
}
