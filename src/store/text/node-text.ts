import type { Node } from '../../model/node.js';
import { renderProps } from '../../model/render-props.js';

/** All of a node but its observations, as one searchable text. */
export function nodeText(node: Pick<Node, 'name' | 'type' | 'summary' | 'props' | 'provenance'>): string {
  const { name, type, summary } = node;
  return [name, type, ...(summary === null ? [] : [summary]), ...renderProps(node)].join('\n');
}
