import type { Random } from '../../bench/lib/random.js';

/** A call of a tool of the memory surface. */
export interface MemoryCall {
  readonly tool: string;
  readonly args: Record<string, unknown>;
}

const names = [
  ...[
    'Ada',
    'ada',
    'Bob',
    'Ünal',
    'Zoë',
    '李',
    'node.js',
    'a "quoted" name',
    'two\nlines',
    '🦜 parrot',
    'x,y',
    ' spaced ',
  ],
  ...Array.from({ length: 12 }, (_, index) => `thing-${index}`),
];
const types = ['person', 'project', 'Person', 'tool'];
const relationTypes = ['knows', 'works_on', 'KNOWS', 'is "part" of'];
const facts = [
  ...[
    'likes tea',
    'Likes tea',
    'speaks C++ \\ TypeScript',
    'naïve café',
    'tab\there',
    '100 %',
    '{"json": true}',
    '𝒳 marks',
  ],
  ...Array.from({ length: 12 }, (_, index) => `fact number ${index}`),
];
const queries = [...names, ...facts, ...types, 'a', 'NUMBER 1', 'tea', 'ü', 'zzz', '"', ''];

/**
 * The next call, from what both servers document alike. Left out is what Trellis does differently on purpose: an item that
 * stands twice in one batch is stored once, and a text that says nothing is refused.
 */
export function randomCall(random: Random): MemoryCall {
  const { below } = random;
  const some = <T>(items: readonly T[], most: number) => random.shuffle(items).slice(0, 1 + below(most));
  const relation = () => ({
    from: random.pick(names),
    to: random.pick(names),
    relationType: random.pick(relationTypes),
  });
  const relations = () => distinct(Array.from({ length: 1 + below(4) }, relation));
  const about = (most: number) =>
    some(names, most).map((entityName) => ({ entityName, facts: some(facts, 4) }));
  const calls: readonly (() => MemoryCall)[] = [
    () => ({
      tool: 'create_entities',
      args: {
        entities: some(names, 4).map((name) => ({
          name,
          entityType: random.pick(types),
          observations: random.shuffle(facts).slice(0, below(4)),
        })),
      },
    }),
    () => ({ tool: 'create_relations', args: { relations: relations() } }),
    () => ({
      tool: 'add_observations',
      args: { observations: about(2).map((item) => ({ entityName: item.entityName, contents: item.facts })) },
    }),
    () => ({ tool: 'delete_entities', args: { entityNames: some(names, 2) } }),
    () => ({
      tool: 'delete_observations',
      args: {
        deletions: about(2).map((item) => ({ entityName: item.entityName, observations: item.facts })),
      },
    }),
    () => ({ tool: 'delete_relations', args: { relations: relations() } }),
    () => ({ tool: 'read_graph', args: {} }),
    () => ({ tool: 'search_nodes', args: { query: random.pick(queries) } }),
    () => ({ tool: 'open_nodes', args: { names: some(names, 4) } }),
  ];
  // Mostly what makes something, or there would be little to compare.
  const weighted = [0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 4, 4, 5, 6, 7, 7, 8, 8];
  const call = calls[random.pick(weighted)] ?? calls[0];
  if (call === undefined) throw new Error('There is no call to make.');
  return call();
}

function distinct<T>(items: readonly T[]): readonly T[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}
