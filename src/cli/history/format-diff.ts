import type { z } from 'zod';
import type { changesOutput } from '../../surfaces/graph/graph-changes-shapes.js';
import { printable, quoteForTerminal } from './printable.js';

/** As tools and `describeDiffWithSchema` return them. */
export type Changes = z.output<typeof changesOutput>;

export function isUnchanged({ schema, nodes, edges }: Changes): boolean {
  return schema === undefined && nodes.length + edges.length === 0;
}

export const signs = { added: '+', changed: '~', removed: '-' } as const;

export function formatDiff({ schema, nodes, edges }: Changes): string[] {
  return [
    ...(schema === undefined ? [] : schemaLines(schema)),
    ...nodes.flatMap(nodeLines),
    ...edges.flatMap(edgeLines),
  ];
}

function schemaLines({ change, steps }: NonNullable<Changes['schema']>): string[] {
  const wording = change === 'changed' && steps.length === 0 ? ['    ~ only its wording'] : [];
  return [
    `${signs[change]} schema`,
    ...steps.map(({ step, message }) => `    ${stepSign(step)} ${printable(message)}`),
    ...wording,
  ];
}

function stepSign(step: string): string {
  if (step.startsWith('add_')) return signs.added;
  return step.startsWith('drop_') ? signs.removed : signs.changed;
}

function nodeLines(node: Changes['nodes'][number]): string[] {
  const sign = signs[node.change];
  return [
    `${sign} ${printable(node.type)} ${printable(node.name)}`,
    ...(node.change === 'changed' ? changedValues(node.properties) : nodeDetails(sign, node)),
  ];
}

function edgeLines(edge: Changes['edges'][number]): string[] {
  const sign = signs[edge.change];
  const key = edge.key === undefined ? '' : ` [${printable(edge.key)}]`;
  return [
    `${sign} ${printable(edge.from)} --${printable(edge.type)}${key}--> ${printable(edge.to)}`,
    ...(edge.change === 'changed' ? changedValues(edge.properties) : edgeDetails(sign, edge)),
  ];
}

function nodeDetails(
  sign: string,
  { summary, tags, props, provenance, observations = [] }: Changes['nodes'][number],
): string[] {
  return [
    ...values(sign, { summary, tags, props, provenance }),
    ...observations.map(({ ordinal, text }) => `    ${sign} ${ordinal}. ${printable(text)}`),
  ];
}

function edgeDetails(sign: string, { props, provenance, weight }: Changes['edges'][number]): string[] {
  return values(sign, { props, provenance, weight: weight === 1 ? undefined : weight });
}

function values(sign: string, all: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(all)
    .filter(([, value]) => value !== undefined)
    .map(([property, value]) => `    ${sign} ${property}: ${quoteForTerminal(value)}`);
}

function changedValues(properties: Changes['nodes'][number]['properties'] = {}): string[] {
  return Object.entries(properties).flatMap(([property, change]) => {
    const name = property.startsWith('observations.')
      ? `${property.slice('observations.'.length)}.`
      : `${printable(property)}:`;
    const shown = (value: unknown) =>
      property.startsWith('observations.') ? printable(String(value)) : quoteForTerminal(value);
    return [
      ...('before' in change ? [`    - ${name} ${shown(change.before)}`] : []),
      ...('after' in change ? [`    + ${name} ${shown(change.after)}`] : []),
    ];
  });
}
