import {
  type DescribedEdge,
  type DescribedEdgeChange,
  type DescribedNode,
  type DescribedNodeChange,
  describeDiff,
  type ValueChange,
} from '../../engine/history/describe.js';
import type { GraphDiff } from '../../engine/history/graph-diff.js';
import { printable, quoted } from './printable.js';

const signs = { added: '+', changed: '~', removed: '-' } as const;

/** A diff for people: a line for each node and edge, and below it what changed. */
export function diffLines(diff: GraphDiff): string[] {
  const { nodes, edges } = describeDiff(diff);
  return [...nodes.flatMap(nodeLines), ...edges.flatMap(edgeLines)];
}

function nodeLines(node: DescribedNodeChange): string[] {
  const sign = signs[node.change];
  return [
    `${sign} ${printable(node.type)} ${printable(node.name)}`,
    ...(node.change === 'changed' ? changedValues(node.properties) : nodeDetails(sign, node)),
  ];
}

function edgeLines(edge: DescribedEdgeChange): string[] {
  const sign = signs[edge.change];
  const key = edge.key === undefined ? '' : ` [${printable(edge.key)}]`;
  return [
    `${sign} ${printable(edge.from)} --${printable(edge.type)}${key}--> ${printable(edge.to)}`,
    ...(edge.change === 'changed' ? changedValues(edge.properties) : edgeDetails(sign, edge)),
  ];
}

function nodeDetails(
  sign: string,
  { summary, tags, props, provenance, observations }: DescribedNode,
): string[] {
  return [
    ...values(sign, { summary, tags, props, provenance }),
    ...observations.map(({ ordinal, text }) => `    ${sign} ${ordinal}. ${printable(text)}`),
  ];
}

function edgeDetails(sign: string, { props, provenance, weight }: DescribedEdge): string[] {
  return values(sign, { props, provenance, weight: weight === 1 ? undefined : weight });
}

function values(sign: string, all: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(all)
    .filter(([, value]) => value !== undefined)
    .map(([property, value]) => `    ${sign} ${property}: ${quoted(value)}`);
}

function changedValues(properties: Readonly<Record<string, ValueChange>>): string[] {
  return Object.entries(properties).flatMap(([property, change]) => {
    const name = property.startsWith('observations.')
      ? `${property.slice('observations.'.length)}.`
      : `${printable(property)}:`;
    const shown = (value: unknown) =>
      property.startsWith('observations.') ? printable(String(value)) : quoted(value);
    return [
      ...('before' in change ? [`    - ${name} ${shown(change.before)}`] : []),
      ...('after' in change ? [`    + ${name} ${shown(change.after)}`] : []),
    ];
  });
}
