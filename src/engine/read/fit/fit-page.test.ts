import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { times } from '../../../../test/helpers/full.js';
import type { Node } from '../../../model/node.js';
import type { Reader } from '../../../store/reader.js';
import { openInMemorySqliteStore, type SqliteStore } from '../../../store/sqlite/sqlite-store.js';
import { Graph } from '../../graph.js';
import { createEdgesWithStubs } from '../../write/create-edges-with-stubs.js';
import { createNodesOnConflict } from '../../write/create-nodes-on-conflict.js';
import { deleteNodes } from '../../write/delete-nodes.js';
import { deleteObservationsByOrdinal } from '../../write/delete-observations-by-ordinal.js';
import { openNodes } from '../open-nodes.js';
import { type OpenedNode, openNodesWithOrdinals } from '../open-nodes-with-ordinals.js';
import { dropEdgesOfEarlierPages } from '../page-edges.js';
import { readGraph } from '../read-graph.js';
import { withNeighbours } from '../with-neighbours.js';
import { type FitRequest, type FittedPage, fitPage, type NodePageSource } from './fit-page.js';

const author = { actor: 'ann', tool: 'test' };
const maxLength = 30_000;
let store: SqliteStore;
let graph: Graph;

beforeEach(async () => {
  store = await openInMemorySqliteStore();
  await store.createGraph('default');
  graph = new Graph(store, 'default');
});
afterEach(() => store.close());

interface GivenNode {
  readonly texts: readonly string[];
  readonly summary: string | null;
  readonly tags: readonly string[];
}

/** Short, near what fits, or far above; with characters that JSON makes longer, and such that are two. */
const text = fc
  .tuple(
    fc.constantFrom(1, 40, 1_000, 14_000, 29_000, 29_500, 30_000, 80_000),
    fc.constantFrom('x', '"', '\u0001', '😀', 'a😀'),
  )
  .map(([length, filler]) => filler.repeat(Math.ceil(length / filler.length)));
const given = fc.record({
  texts: fc.array(text, { maxLength: 5 }),
  summary: fc.option(text),
  tags: fc.array(
    fc.constantFrom(5, 1_200).map((length) => 't'.repeat(length)),
    { maxLength: 3 },
  ),
});
/** From which node or name to which, and how long its type is; many of them lead away from the first. */
const relation = fc.tuple(
  fc.integer({ min: 0, max: 9 }),
  fc.integer({ min: 0, max: 9 }),
  fc.constantFrom(10, 300),
);
const graphs = fc.record({
  nodes: fc.array(given, { minLength: 0, maxLength: 5 }),
  relations: fc.oneof(
    fc.array(relation, { maxLength: 20 }),
    fc.array(relation, { minLength: 150, maxLength: 300 }),
  ),
});

async function fill(nodes: readonly GivenNode[], relations: readonly (readonly [number, number, number])[]) {
  await graph.write(author, async (tx) => {
    const specs = nodes.map(({ texts, summary, tags }, index) => ({
      ...{ name: `n${index}`, type: 'thing', summary },
      observations: texts.map((one, at) => `${index}.${at} ${one}`),
      tags: tags.map((tag, at) => `${at}${tag}`),
    }));
    await createNodesOnConflict(tx, specs, 'refuse');
    const edges = relations.map(([from, to, length], index) => ({
      ...{ from: `n${from}`, to: `n${to}`, type: `${index} ${'r'.repeat(length)}` },
    }));
    await createEdgesWithStubs(tx, edges);
  });
}

const edgeOf = ({ fromName, type, toName }: { fromName: string; type: string; toName: string }) =>
  `${fromName} ${type} ${toName}`;

/** Follows the cursors from the beginning to the end. */
async function follow<N extends { readonly node: Node }>(
  listOn: (reader: Reader) => NodePageSource<N>,
  request: FitRequest = {},
  between: () => Promise<unknown> = async () => {},
): Promise<FittedPage<N>[]> {
  const pages: FittedPage<N>[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await graph.read((reader) =>
      fitPage(reader, listOn(reader), { maxLength, ...request, cursor }),
    );
    const list = await graph.read(async (reader) => listOn(reader).length(page));
    expect(list).toBeLessThanOrEqual(maxLength);
    pages.push(page);
    expect(pages.length).toBeLessThan(2_000);
    cursor = page.nextCursor;
    if (cursor === undefined) return pages;
    await between();
  }
}

const lengthOf: NodePageSource<OpenedNode>['length'] = ({ nodes, edges }) =>
  JSON.stringify(
    {
      nodes: nodes.map(({ node: { name, summary, tags }, facts }) => ({ name, summary, tags, facts })),
      edges: edges.map(edgeOf),
    },
    null,
    2,
  ).length;

const names = Array.from({ length: 10 }, (_, index) => `n${index}`);

/** Nodes with everything about them; each relation once. */
function everything(reader: Reader): NodePageSource<OpenedNode> {
  return {
    ...{ name: 'open_nodes', shown: { summaryAndTags: true, facts: true }, length: lengthOf },
    async read(page) {
      const opened = await dropEdgesOfEarlierPages(reader, await openNodesWithOrdinals(reader, names, page));
      return { ...opened, matches: opened.nodes.length };
    },
    truncate: (whole, node, facts) => ({ ...whole, node, facts }),
  };
}

/** Nodes with the facts of their neighbours. */
function around(reader: Reader, asked: readonly string[]): NodePageSource<OpenedNode> {
  return {
    ...everything(reader),
    shown: { summaryAndTags: false, facts: true },
    async read(page) {
      const found = await withNeighbours(reader, await openNodes(reader, asked, page));
      const opened = await openNodesWithOrdinals(
        reader,
        found.nodes.map(({ node }) => node.name),
      );
      const byId = new Map(opened.nodes.map((one) => [one.node.id, one]));
      const nodes = found.nodes.flatMap(({ node }) => byId.get(node.id) ?? []);
      return {
        ...found,
        nodes: nodes.map((one) => ({ ...one, node: { ...one.node, summary: null, tags: [] } })),
      };
    },
  };
}

interface Told {
  summary: string;
  readonly tags: string[];
  readonly facts: Map<number, string>;
}

/** What the pages say of each node, put together: a text that was cut is one again. */
function together(pages: readonly FittedPage<OpenedNode>[]) {
  const nodes = new Map<string, Told>();
  for (const { node, facts } of pages.flatMap((page) => page.nodes)) {
    const one: Told = nodes.get(node.name) ?? { summary: '', tags: [], facts: new Map() };
    nodes.set(node.name, one);
    one.summary += node.summary ?? '';
    one.tags.push(...node.tags);
    for (const { ordinal, text } of facts) one.facts.set(ordinal, (one.facts.get(ordinal) ?? '') + text);
  }
  return { nodes, edges: pages.flatMap((page) => page.edges.map(edgeOf)).sort() };
}

const property = (check: (reader: Reader) => NodePageSource<OpenedNode>, request: FitRequest) =>
  fc.asyncProperty(graphs, async ({ nodes, relations }) => {
    await graph.write(author, (tx) => deleteNodes(tx, names));
    await fill(nodes, relations);
    const pages = await follow(check, request);
    const whole = await graph.read((reader) => check(reader).read({}));
    const expected = together([{ ...whole, warnings: [] }]);
    const { nodes: found, edges } = together(pages);
    expect(new Set(found.keys())).toEqual(new Set(expected.nodes.keys()));
    for (const [name, one] of expected.nodes) expect(found.get(name)).toEqual(one);
    expect(edges).toEqual(expected.edges);
    const cut = pages.slice(0, -1).filter(({ warnings }) => warnings.length === 0);
    if (request.limit === undefined && request.neighbours === undefined) expect(cut).toEqual([]);
  });

describe('trust 16: following the cursors of an answer that is too long', () => {
  test('gives every summary, tag, observation and relation exactly once', async () => {
    await fc.assert(property(everything, {}), { numRuns: times(4, 20) });
  });

  test('gives the same, whatever limit is asked for', async () => {
    await fc.assert(property(everything, { limit: 3 }), { numRuns: times(3, 10) });
  });

  test('gives every neighbour of a node exactly once, and never more at a time than are asked for', async () => {
    const oneNode = (reader: Reader) => around(reader, ['n0']);
    await fc.assert(property(oneNode, { neighbours: 2 }), { numRuns: times(3, 10) });
    for (const page of await follow(oneNode, { neighbours: 2 })) {
      expect(page.nodes.length - page.matches).toBeLessThanOrEqual(2);
    }
  });

  test('leaves nothing out that was there all the time, although other things were deleted meanwhile', async () => {
    const texts = Array.from({ length: 40 }, (_, index) => `${index} ${'x'.repeat(2_700)}`);
    await fill([{ texts, summary: null, tags: [] }], []);
    let deleted = 0;
    const pages = await follow(everything, {}, () => {
      deleted += 1;
      return graph.write(author, (tx) =>
        deleteObservationsByOrdinal(tx, [{ name: 'n0', ordinals: [deleted] }]),
      );
    });
    expect(pages.length).toBeGreaterThan(3);
    expect([...(together(pages).nodes.get('n0')?.facts.keys() ?? [])]).toEqual(
      texts.map((_, index) => index + 1),
    );
  });

  test('goes on with the next node when the one it was in is gone', async () => {
    const big = { texts: Array.from({ length: 3 }, () => 'x'.repeat(15_000)), summary: null, tags: [] };
    await fill([big, { ...big, texts: ['small'] }], []);
    const pages = await follow(everything, {}, () => graph.write(author, (tx) => deleteNodes(tx, ['n0'])));
    expect(pages.map((page) => page.nodes.map(({ node }) => node.name))).toEqual([['n0'], ['n1']]);
  });

  test('says what has been shown', async () => {
    const texts = ['short', 'x'.repeat(60_000), 'y'.repeat(18_000)];
    await fill([{ texts, summary: null, tags: [] }], []);
    const warnings = (await follow(everything)).flatMap((page) => page.warnings);
    expect(warnings[0]).toBe(
      'The response was too long and was cut here: 1 of 3 observations of "n0" have been shown. ' +
        'Pass nextCursor as cursor to continue.',
    );
    expect(warnings[1]).toMatch(/ \d+ of 60004 characters of observation 2 of "n0" have been shown\./);
  });

  test('relations that no node has are cut too', async () => {
    const relations = Array.from({ length: 300 }, () => [8, 9, 300] as const);
    await fill([], relations);
    const list = (reader: Reader): NodePageSource<OpenedNode> => ({
      ...everything(reader),
      name: 'read_graph',
      read: async (page) => ({ ...(await readGraph(reader, page)), nodes: [], matches: 0 }),
    });
    const pages = await follow(list);
    expect(pages.length).toBeGreaterThan(3);
    expect(new Set(pages.flatMap(({ edges }) => edges.map(edgeOf))).size).toBe(300);
  });
});

describe('trust 32: how much is read for an answer', () => {
  /** All nodes, with a note of how many were asked for each time. */
  const noting = (reader: Reader, asked: (number | undefined)[]): NodePageSource<OpenedNode> => ({
    ...everything(reader),
    name: 'read_graph',
    async read(page) {
      asked.push(page.limit);
      const { nodes, ...rest } = await readGraph(reader, page);
      const opened = nodes.map(({ node, facts }) => ({
        ...{ node, updatedAt: 0 },
        facts: facts.map((one, index) => ({ ordinal: index + 1, text: one })),
      }));
      return { ...rest, nodes: opened, matches: nodes.length };
    },
  });
  const some = (length: number) =>
    fill(
      Array.from({ length }, () => ({ texts: ['a fact'], summary: null, tags: [] })),
      [],
    );

  test('of a page that does not fit, no more than a first thousand nodes', async () => {
    await some(1_300);
    const asked: (number | undefined)[] = [];
    await graph.read((reader) => fitPage(reader, noting(reader, asked), { limit: 10_000, maxLength }));
    expect(asked[0]).toBe(1_000);
    expect(asked.slice(1).every((limit) => limit !== undefined && limit < 1_000)).toBe(true);
  });

  test('of a page that fits, a first thousand and then all that was asked for', async () => {
    await some(1_300);
    const asked: (number | undefined)[] = [];
    const page = await graph.read((reader) =>
      fitPage(reader, noting(reader, asked), { limit: 1_200, maxLength: 10_000_000 }),
    );
    expect(asked).toEqual([1_000, 1_200]);
    expect([page.nodes.length, page.warnings]).toEqual([1_200, []]);
  });
});
