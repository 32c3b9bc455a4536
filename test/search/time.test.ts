import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { createNodesLenient } from '../../src/engine/write/create-nodes-lenient.js';
import { defaultGraph } from '../../src/model/graph-record.js';
import { searchHybrid } from '../../src/search/search-hybrid.js';
import { openStoreAtLocation } from '../../src/store/open-store-at-location.js';
import type { Store } from '../../src/store/store-contract.js';
import { databaseKinds } from '../helpers/stores.js';

const wordsOnly = { known: false, reason: { message: 'none', publicMessage: 'none' } } as const;

describe.each(databaseKinds)('a time in a query on $kind', ({ place }) => {
  let now: number;
  let store: Store;
  let graph: Graph;
  let remove: () => Promise<void>;
  beforeEach(async () => {
    const placed = await place();
    remove = placed.remove;
    store = await openStoreAtLocation(placed.path, { clock: () => now });
    now = Date.UTC(2024, 0, 1);
    if ((await store.graphs()).length === 0) await store.createGraph(defaultGraph);
    graph = new Graph(store, defaultGraph);
  });
  afterEach(async () => {
    await store.close();
    await remove();
  });

  const write = (time: string, ...observations: string[]) => {
    now = Date.parse(time);
    return graph.write({ actor: 'ann', tool: 'test' }, (tx) =>
      createNodesLenient(tx, [{ name: `note of ${time}`, type: 'note', observations }]),
    );
  };
  const first = async (query: string, time = '2024-06-12') => {
    const clock = () => Date.parse(time);
    const { hits } = await graph.read((reader) =>
      searchHybrid({ reader, queryEmbedding: wordsOnly, clock }, query),
    );
    return hits.find(({ ordinal }) => ordinal !== null)?.text;
  };

  test('prefers texts written then, or soon after', async () => {
    await write('2023-05-09', 'Ann hiked to a lake');
    await write('2024-06-11', 'Ann hiked to a hut');
    expect(await first('Where did Ann hike?')).toBe('Ann hiked to a lake');
    expect(await first('Where did Ann hike yesterday?')).toBe('Ann hiked to a hut');
    expect(await first('Where did Ann hike on 8 May 2023?')).toBe('Ann hiked to a lake');
    expect(await first('Where did Ann hike last week?', '2024-06-19')).toBe('Ann hiked to a hut');
  });

  test('prefers texts that mention it, a closer time more', async () => {
    await write('2024-06-01', 'In 2023 Ben sold a boat', 'Ben sold a van on May 8, 2023', 'Ben sold a hut');
    expect(await first('What did Ben sell in May 2023?')).toBe('Ben sold a van on May 8, 2023');
  });

  test('a text with more times than a call can have arguments is found', async () => {
    await write('2024-06-01', 'Dan hiked', `Dan hiked ${'yesterday '.repeat(200_000)}`);
    expect(await first('When did Dan hike last May?')).toContain('Dan hiked');
  });

  test('counts relative times of a text from when it was written', async () => {
    await write('2023-08-20', 'Cleo planted a pear tree');
    await write('2023-09-20', 'Cleo planted an apple tree two months ago');
    expect(await first('What tree did Cleo plant in July 2023?')).toBe(
      'Cleo planted an apple tree two months ago',
    );
  });

  test('does not find texts that nothing else finds', async () => {
    await write('2024-06-11', 'an invoice');
    expect(await first('Where did Ann hike yesterday?')).toBeUndefined();
  });

  describe('that an event names', () => {
    const everything = async (query: string) => {
      const clock = () => Date.parse('2024-06-12');
      const { hits } = await graph.read((reader) =>
        searchHybrid({ reader, queryEmbedding: wordsOnly, clock }, query, { limit: 50 }),
      );
      return hits.filter(({ ordinal }) => ordinal !== null).map(({ text }) => text);
    };

    test('is when the text that tells of it was written', async () => {
      await write('2023-02-10', 'Ann painted the kitchen in Bonn');
      await write('2023-05-09', 'Ann and Ben finished their move');
      await write('2023-09-20', 'Ann painted the kitchen in Rome');
      expect(await first('What did Ann paint in the kitchen?')).toBe('Ann painted the kitchen in Bonn');
      expect(await first('What did Ann paint in the kitchen before the move?')).toBe(
        'Ann painted the kitchen in Bonn',
      );
      expect(await first('What did Ann paint in the kitchen after the move?')).toBe(
        'Ann painted the kitchen in Rome',
      );
      expect(await first('Since their move, what did Ann paint in the kitchen?')).toBe(
        'Ann painted the kitchen in Rome',
      );
    });

    test('is a time that this text mentions', async () => {
      await write('2023-02-10', 'Ann painted the kitchen in Bonn');
      await write('2023-09-20', 'Ann painted the kitchen in Rome');
      await write('2024-05-01', 'The move was on 9 May 2023');
      expect(await first('What did Ann paint in the kitchen after the move?')).toBe(
        'Ann painted the kitchen in Rome',
      );
    });

    test('is told by an observation of a node with its name', async () => {
      await write('2023-02-10', 'Ann painted the kitchen in Bonn');
      await write('2023-09-20', 'Ann painted the kitchen in Rome');
      now = Date.parse('2024-05-01');
      await graph.write({ actor: 'ann', tool: 'test' }, (tx) =>
        createNodesLenient(tx, [
          { name: 'The big move', type: 'event', observations: ['It was on 9 May 2023'] },
        ]),
      );
      expect(await first('What did Ann paint in the kitchen after the big move?')).toBe(
        'Ann painted the kitchen in Rome',
      );
    });

    test('changes nothing if no text stands out, or none tells of it', async () => {
      await write('2023-02-10', 'Ann painted the kitchen in Bonn');
      for (let month = 1; month <= 8; month++) await write(`2023-03-0${month}`, `move ${month}`);
      await write('2023-09-20', 'Ann painted the kitchen in Rome');
      const order = await everything('What did Ann paint in the kitchen?');
      for (const event of [
        'after the move',
        'after the wedding',
        'after',
        'before before before',
        'since it',
      ])
        expect((await everything(`What did Ann paint in the kitchen ${event}?`)).slice(0, 2)).toEqual(
          order.slice(0, 2),
        );
    });

    test('counts only if the query mentions no other time', async () => {
      await write('2023-02-10', 'Ann painted the kitchen in Bonn');
      await write('2023-05-09', 'Ann and Ben finished their move');
      await write('2023-09-20', 'Ann painted the kitchen in Rome');
      expect(await first('What did Ann paint in the kitchen in February 2023, after the move?')).toBe(
        'Ann painted the kitchen in Bonn',
      );
    });

    test('is looked for in an empty graph too', async () => {
      expect(await everything('What did Ann paint before the move?')).toEqual([]);
    });
  });
});
