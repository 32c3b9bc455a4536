import { type DescribedChange, describeDiff } from '../../engine/history/describe.js';
import type { GraphDiff } from '../../engine/history/graph-diff.js';
import { printable, quoted } from './printable.js';

const signs = { added: '+', changed: '~', removed: '-' } as const;

/** A diff for people: a line for each node and edge, and below it what changed. */
export function diffLines(diff: GraphDiff): string[] {
  const { nodes, edges } = describeDiff(diff);
  return [
    ...nodes.flatMap((node) => [`${signs[node.change]} ${nodeTitle(node)}`, ...detailsOf(node)]),
    ...edges.flatMap((edge) => [`${signs[edge.change]} ${edgeTitle(edge)}`, ...detailsOf(edge)]),
  ];
}

function nodeTitle(node: DescribedChange): string {
  return `${printable(String(node['type']))} ${printable(String(node['name']))}`;
}

function edgeTitle(edge: DescribedChange): string {
  const [from, type, to] = ['from', 'type', 'to'].map((part) => printable(String(edge[part])));
  const key = edge['key'] === undefined ? '' : ` [${printable(String(edge['key']))}]`;
  return `${from} --${type}${key}--> ${to}`;
}

function detailsOf(change: DescribedChange): string[] {
  if (change.change === 'changed') return changedValues(change);
  const sign = signs[change.change];
  const {
    change: _c,
    type: _t,
    name: _n,
    from: _f,
    to: _o,
    key: _k,
    observations,
    weight,
    ...others
  } = change;
  return [
    ...Object.entries(others).map(([property, value]) => `    ${sign} ${property}: ${quoted(value)}`),
    ...(weight === undefined || weight === 1 ? [] : [`    ${sign} weight: ${quoted(weight)}`]),
    ...observationsOf(observations).map(({ ordinal, text }) => `    ${sign} ${ordinal}. ${printable(text)}`),
  ];
}

function changedValues({ properties }: DescribedChange): string[] {
  if (typeof properties !== 'object' || properties === null) return [];
  return Object.entries(properties).flatMap(
    ([property, values]: [string, { before?: unknown; after?: unknown }]) => {
      const name = property.startsWith('observations.')
        ? `${property.slice('observations.'.length)}.`
        : `${printable(property)}:`;
      const shown = (value: unknown) =>
        property.startsWith('observations.') ? printable(String(value)) : quoted(value);
      return [
        ...('before' in values ? [`    - ${name} ${shown(values.before)}`] : []),
        ...('after' in values ? [`    + ${name} ${shown(values.after)}`] : []),
      ];
    },
  );
}

function observationsOf(value: unknown): { ordinal: number; text: string }[] {
  return Array.isArray(value) ? value : [];
}
