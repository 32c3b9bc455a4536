import { didYouMean } from '../../model/nearest.js';
import type { PolicyDocument, Rule } from './policy-document.js';

export interface Mention {
  readonly kind: 'graph' | 'query' | 'group' | 'actor';
  readonly name: string;
  /** Where a query may be stored; default: any graph. */
  readonly graphs?: readonly string[] | undefined;
  /** The rule, or the part of the file. */
  readonly at: string;
}

/** What is left out is unknown, such as the groups of an identity provider. */
export interface ExistingNames {
  readonly graphs?: ReadonlySet<string> | undefined;
  readonly queries?: ReadonlyMap<string, readonly string[]> | undefined;
  readonly groups?: ReadonlySet<string> | undefined;
  readonly actors?: ReadonlySet<string> | undefined;
}

/** Its own groups exist by definition. */
export function mentionsIn({ groups, rules }: PolicyDocument): readonly Mention[] {
  const members = [...groups].flatMap(([group, actors]) =>
    actors.map((name): Mention => ({ kind: 'actor', name, at: `the group ${group}` })),
  );
  return [...members, ...rules.flatMap((rule) => mentionsOf(rule, groups))];
}

function mentionsOf(
  { id, subject, graphs, queries = [] }: Rule,
  groups: PolicyDocument['groups'],
): readonly Mention[] {
  const at = `the rule ${id}`;
  const isNamed =
    subject.kind === 'actor' || (subject.kind === 'group' && !groups.has(subject.name)) ? [subject] : [];
  return [
    ...isNamed.flatMap(({ kind, name }): Mention[] =>
      kind === 'actor' || kind === 'group' ? [{ kind, name, at }] : [],
    ),
    ...(graphs ?? []).map((name): Mention => ({ kind: 'graph', name, at })),
    ...queries.map((name): Mention => ({ kind: 'query', name, graphs, at })),
  ];
}

/** Names that exist nowhere are most likely misspelt, and their rules allow nothing. */
export function unknownMentions(mentions: readonly Mention[], names: ExistingNames): readonly string[] {
  return [...new Set(mentions.flatMap((mention) => problemOf(mention, names) ?? []))];
}

function problemOf({ kind, name, graphs, at }: Mention, names: ExistingNames): string | undefined {
  const known = kind === 'query' ? queriesOf(names, graphs) : names[`${kind}s`];
  if (known === undefined || known.has(name)) return undefined;
  return `${at} names the ${kind} ${JSON.stringify(name)}, which ${nowhere[kind]}.${didYouMean(name, known)}`;
}

const nowhere = {
  graph: 'neither the configuration nor the store has',
  query: 'no graph has as a stored query',
  group: 'no token and no policy puts anybody into',
  actor: 'has no token',
} as const;

function queriesOf(
  { queries }: ExistingNames,
  graphs: readonly string[] | undefined,
): ReadonlySet<string> | undefined {
  if (queries === undefined) return undefined;
  const searched = graphs ?? [...queries.keys()];
  return new Set(searched.flatMap((graph) => queries.get(graph) ?? []));
}
