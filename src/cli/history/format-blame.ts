import type { z } from 'zod';
import type { blameOutput } from '../../surfaces/graph/people/people-blame-shapes.js';
import type { peopleNodeOutput } from '../../surfaces/graph/people/people-node.js';
import { printable, quoteForTerminal } from './printable.js';

type Blame = z.output<typeof blameOutput> | undefined;
type PeopleNode = z.output<typeof peopleNodeOutput>;
type DerivationLine = NonNullable<PeopleNode['node']['derivation']>[number];
type EdgeLine = PeopleNode['edges']['out'][number];

/** Longer facts are cut. */
const factLength = 60;

/** One line for each fact: what it says, then who put it there, when, with which tool and in which commit. */
export function formatBlame({ node, edges }: PeopleNode): string[] {
  const { type, summary, tags, props = {}, observations, blame } = node;
  const facts: [string, Blame][] = [
    [`type: ${printable(type)}`, blame?.type],
    ...(summary === undefined ? [] : [[`summary: ${printable(summary)}`, blame?.summary] as [string, Blame]]),
    ...(tags === undefined
      ? []
      : [[`tags: ${tags.map(printable).join(', ')}`, blame?.tags] as [string, Blame]]),
    ...Object.entries(props).map(([name, value]): [string, Blame] => [
      `${printable(name)}: ${quoteForTerminal(value)}`,
      blame?.props[name],
    ]),
    ...observations.map((one): [string, Blame] => [`${one.ordinal}. ${printable(one.text)}`, one.blame]),
    ...edges.out.map((edge): [string, Blame] => [
      `--${label(edge)}--> ${printable(edge.to.name)}`,
      edge.blame,
    ]),
    ...edges.in.map((edge): [string, Blame] => [
      `<--${label(edge)}-- ${printable(edge.from.name)}`,
      edge.blame,
    ]),
  ];
  const rows = facts.map(([fact, by]) => [cut(fact), ...author(by)]);
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return [
    `${printable(type)} ${printable(node.name)}`,
    ...rows.map((row) =>
      `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
    ),
    ...(edges.truncated ? ['  … and more edges'] : []),
    ...(node.derivation === undefined ? [] : ['  derived from:', ...node.derivation.map(derivationLine)]),
  ];
}

const stateTexts: Readonly<Record<DerivationLine['state'], string>> = {
  node: '',
  commit: 'commit',
  gone: 'gone',
  repeated: 'see above',
  unfollowed: 'and more',
};

function derivationLine({ reference, depth, state, confidence, source }: DerivationLine): string {
  const more = [
    ...[stateTexts[state]].filter((text) => text !== ''),
    ...(confidence === undefined ? [] : [`confidence ${confidence}`]),
    ...(source === undefined ? [] : [`from ${printable(source)}`]),
  ].join(', ');
  return `${'  '.repeat(depth + 1)}${printable(reference)}${more === '' ? '' : `  ${more}`}`;
}

function label({ type, key }: EdgeLine): string {
  return key === undefined ? printable(type) : `${printable(type)} [${printable(key)}]`;
}

function author(blame: Blame): string[] {
  const { commit_id, actor_id = '', tool = '', at = '', client, message } = blame ?? {};
  const { source, confidence, extraction_method, derived_from } = blame ?? {};
  const more = [
    ...(client === undefined ? [] : [`via ${printable(client)}`]),
    ...(source === undefined ? [] : [`from ${printable(source)}`]),
    ...(extraction_method === undefined ? [] : [`by ${printable(extraction_method)}`]),
    ...(confidence === undefined ? [] : [`confidence ${confidence}`]),
    ...(derived_from === undefined ? [] : [`derived from ${derived_from.map(printable).join(' and ')}`]),
    ...(message === undefined ? [] : [quoteForTerminal(message)]),
  ].join(', ');
  if (commit_id === undefined) return ['no longer known', '', '', '', more];
  return [printable(actor_id), `${at.slice(0, 16)}Z`, printable(tool), commit_id, more];
}

function cut(fact: string): string {
  const characters = [...fact];
  return characters.length <= factLength ? fact : `${characters.slice(0, factLength - 1).join('')}…`;
}
