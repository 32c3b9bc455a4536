import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { createNodesLenient } from '../../src/engine/write/create-nodes-lenient.js';
import { deleteNodes } from '../../src/engine/write/delete-nodes.js';
import { deleteObservations } from '../../src/engine/write/delete-observations.js';
import { defaultGraph } from '../../src/model/graph-record.js';
import type { SearchRequest } from '../../src/search/search-hits.js';
import { searchObservations, searchRanked } from '../../src/search/search-ranked.js';
import { times } from '../helpers/full.js';
import { type Scratch, scratchStore, storeKinds } from '../helpers/stores.js';

const author = { actor: 'ann', tool: 'test' };

describe.each(storeKinds)('ranked texts on $kind', (kind) => {
  let scratch: Scratch;
  let graph: Graph;
  beforeEach(async () => {
    scratch = await scratchStore(kind);
    graph = new Graph(scratch.store, defaultGraph);
  });
  afterEach(() => scratch.dispose());

  const write = (nodes: Record<string, string[]>, type = 'session') =>
    graph.write(author, (tx) =>
      createNodesLenient(
        tx,
        Object.entries(nodes).map(([name, observations]) => ({ name, type, observations })),
      ),
    );
  const search = (query: string, request?: SearchRequest) =>
    graph.read((reader) => searchObservations(reader, query, request));
  const texts = async (query: string, request?: SearchRequest) =>
    (await search(query, request)).hits.map(({ text }) => text);

  test('a text with more and rarer words of the query comes first', async () => {
    await write({
      a: ['the cat slept'],
      b: ['the cat caught a zebra finch'],
      c: ['the dog barked'],
      d: ['the end'],
    });
    expect((await texts('the zebra cat'))[0]).toBe('the cat caught a zebra finch');
  });

  test('a text without a word of the query is found next to one that has some', async () => {
    await write({ talk: ['Where did you buy the kayak?', 'In Lisbon, last May.', 'Oh.', 'Nice.', 'Bye.'] });
    const found = await texts('kayak');
    expect(found.slice(0, 2)).toEqual(['Where did you buy the kayak?', 'In Lisbon, last May.']);
    expect(found).not.toContain('Bye.');
  });

  test('what follows a question comes before what follows the same words that ask nothing', async () => {
    await write({
      asked: ['Who bought the kayak?', 'Ann did.', 'x', 'y', 'z'],
      told: ['Who bought the kayak.', 'Bob did.', 'x', 'y', 'z'],
    });
    const found = await texts('kayak', { limit: 100 });
    expect(found.indexOf('Ann did.')).toBeLessThan(found.indexOf('Bob did.'));
  });

  test('a question that follows a question is not taken for its answer', async () => {
    await write({
      asked: ['Who bought the kayak?', 'Did Ann?', 'x', 'y', 'z'],
      told: ['Who bought the kayak?', 'Ann did.', 'x', 'y', 'z'],
    });
    const found = await texts('kayak', { limit: 100 });
    expect(found.indexOf('Ann did.')).toBeLessThan(found.indexOf('Did Ann?'));
  });

  test('what somebody said comes before what others said to them', async () => {
    const others = ['Bob: x', 'x', 'y', 'Ann: x', 'x', 'y', 'Bob: y', 'x', 'y', 'Ann: y', 'x', 'y'];
    await write({ talk: ['Bob: Ann, the boat sank', ...others, 'Ann: Bob, the boat sank'] });
    expect((await texts('Ann boat'))[0]).toBe('Ann: Bob, the boat sank');
    expect((await texts('Bob boat'))[0]).toBe('Bob: Ann, the boat sank');
  });

  test('words that only hold a question together weigh less than others that are as rare', async () => {
    await write({ a: ['whom', 'n', 'o', 'p'], b: ['kayak', 'q', 'r', 's'] });
    const [first] = (await search('whom kayak', { limit: 100 })).hits;
    expect(first?.text).toBe('kayak');
  });

  test('of two equal texts, the one in the node that says more about it comes first', async () => {
    await write({
      a: ['she paints', 'x', 'y', 'rain', 'soup', 'shoes'],
      b: ['she paints', 'x', 'y', 'easel and paint', 'painting the sea', 'painted birds'],
    });
    const { hits } = await search('painting', { limit: 100 });
    const first = hits.filter(({ ordinal }) => ordinal === 1).map(({ node }) => node.name);
    expect(first).toEqual(['b', 'a']);
  });

  const filler = (words: number) => Array.from({ length: words }, (_, at) => `filler${at}`).join(' ');

  test('a long text in a node of long texts is ranked by what it says itself', async () => {
    const aside = `We also talked about other things. ${filler(300)}`;
    await write({
      // Beside and around texts about boats, but not about them itself.
      talk: [
        `The boat ${filler(300)}`,
        `Kayak and nothing else. ${filler(300)}`,
        `A boat trip ${filler(300)}`,
      ],
      log: [aside, `Kayak by boat. ${filler(320)}`, aside],
      rest: [aside],
    });
    expect((await texts('kayak boat'))[0]).toContain('Kayak by boat');
  });

  test('a short answer beside its question is found before long texts with a word of it', async () => {
    await write({
      talk: ['Where did you buy the red kayak?', 'In Lisbon, last May.', 'x', 'y'],
      log: Array.from({ length: 5 }, (_, at) => `Day ${at}: saw a kayak. ${filler(300)}`),
    });
    expect((await texts('where red kayak bought')).slice(0, 2)).toEqual([
      'Where did you buy the red kayak?',
      'In Lisbon, last May.',
    ]);
  });

  test('an observation has the name of its node', async () => {
    await write({
      'Ada Lovelace': ['wrote the first program', 'x', 'y'],
      Bob: ['wrote a program', 'x', 'y'],
    });
    const { hits } = await search('program of Ada Lovelace');
    expect(hits[0]).toMatchObject({ text: 'wrote the first program' });
  });

  test('a name or a summary that matches is a hit without an ordinal', async () => {
    await write({ 'Zanzibar ferry': ['leaves at noon'] });
    const { hits } = await search('zanzibar');
    expect(hits[0]).toMatchObject({
      ordinal: null,
      text: 'Zanzibar ferry',
      node: { name: 'Zanzibar ferry' },
    });
  });

  test('types, a node and one hit for each node can be asked for', async () => {
    await write({ a: ['a run', 'another run'], b: ['run'] });
    await write({ hill: ['run down'] }, 'place');
    expect(await texts('run', { types: ['place'] })).toEqual(['run down']);
    const a = (await search('run')).hits.find(({ node }) => node.name === 'a')?.node.id;
    expect((await texts('run', { node: a })).sort()).toEqual(['a run', 'another run']);
    expect(await texts('run', { perNode: true })).toHaveLength(3);
  });

  test('what was deleted is found neither by itself nor through its neighbours', async () => {
    await write({ a: ['zanzibar', 'next'], b: ['other'] });
    await graph.write(author, (tx) => deleteObservations(tx, [{ name: 'a', texts: ['zanzibar'] }]));
    expect(await texts('zanzibar')).toEqual([]);
  });

  test('pages follow one another without gaps or repeats', async () => {
    await write({ a: Array.from({ length: 25 }, (_, at) => `run ${'far '.repeat(at)}`) });
    const all = await texts('run', { limit: 100 });
    const paged: string[] = [];
    let cursor: string | undefined;
    do {
      const { hits, nextCursor } = await search('run', { limit: 7, cursor });
      paged.push(...hits.map(({ text }) => text));
      cursor = nextCursor;
    } while (cursor !== undefined);
    expect(paged).toEqual(all);
    await expect(search('run', { cursor: 'xyz' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  test('of more equal nodes than are read in context, those made first are', async () => {
    const names = Array.from({ length: 70 }, (_, at) => `n${at}`);
    const brew = (some: readonly string[]) =>
      write(Object.fromEntries(some.map((name) => [name, ['tea', 'milk']])));
    await write(Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`other ${at}`, []])));
    await brew(names.slice(0, 52));
    // Every number of nodes gives them another score, and only with some does a careless comparison of equal ones round.
    for (let made = 52; made < names.length; made += 2) {
      await brew(names.slice(made, made + 2));
      const { hits } = await search('tea', { limit: 1_000 });
      // What has no word of the query is only found in context.
      const inContext = hits.filter(({ text }) => text === 'milk').map(({ node }) => node.name);
      expect(inContext, `of ${made + 2} nodes`).toEqual(names.slice(0, 50));
    }
  });

  test('nodes that match by their own text alone are all found, also when only some are read in context', async () => {
    const names = Array.from({ length: 60 }, (_, at) => `kayak ${at}`);
    await write(Object.fromEntries(names.map((name) => [name, []])));
    await graph.write(author, (tx) =>
      createNodesLenient(tx, [
        { name: 'boat', type: 'session', observations: [], summary: 'Holds one kayak more.' },
      ]),
    );
    const { hits, nextCursor } = await search('kayak', { limit: 1_000 });
    expect(hits.map(({ node }) => node.name)).toEqual([...names, 'boat']);
    expect(hits.map(({ text }) => text)).toEqual([...names, 'Holds one kayak more.']);
    expect(hits.every(({ ordinal }) => ordinal === null)).toBe(true);
    expect(nextCursor).toBeUndefined();
  });

  test('of a node that is not read in context, its name and its observations are found', async () => {
    const names = Array.from({ length: 60 }, (_, at) => `kayak ${at}`);
    await write(Object.fromEntries(names.map((name) => [name, ['a kayak']])));
    const { hits } = await search('kayak', { limit: 1_000 });
    const found = hits.map(({ node, ordinal }) => `${node.name} ${ordinal}`);
    expect(found.sort()).toEqual(names.flatMap((name) => [`${name} 1`, `${name} null`]).sort());
    const perNode = await search('kayak', { limit: 1_000, perNode: true });
    expect(perNode.hits.map(({ node }) => node.name)).toEqual(names);
  });

  test('pages of nodes that match by name alone go on beyond those read in context', async () => {
    const names = Array.from({ length: 60 }, (_, at) => `kayak ${at}`);
    await write(Object.fromEntries(names.map((name) => [name, []])));
    const paged: string[] = [];
    let cursor: string | undefined;
    do {
      const { nodes, nextCursor } = await graph.read((reader) =>
        searchRanked(reader, 'kayak', { limit: 25, cursor }),
      );
      paged.push(...nodes.map(({ node }) => node.name));
      cursor = nextCursor;
    } while (cursor !== undefined);
    expect(paged).toEqual(names);
  });

  test('equal nodes come in the order they were made, whether they were read in context or not', async () => {
    const names = Array.from({ length: 60 }, (_, at) => `kayak ${at}`);
    await write(Object.fromEntries(names.map((name) => [name, []])));
    // What is made again keeps its id, and is the youngest all the same.
    await graph.write(author, (tx) => deleteNodes(tx, ['kayak 7']));
    await write({ 'kayak 7': [] });
    const { hits } = await search('kayak', { limit: 1_000 });
    const others = names.filter((name) => name !== 'kayak 7');
    expect(hits.map(({ node }) => node.name)).toEqual([...others, 'kayak 7']);
  });

  const many = (text: string) => Array.from({ length: 1_600 }, (_, at) => `${text} ${at}`);
  /** Waits until the store knows that so many texts have the word: an index may still be on its way. */
  const common = (...stems: string[]) =>
    expect
      .poll(() =>
        graph.read(async (reader) => {
          const { texts } = await reader.wordStatistics(stems);
          return Math.min(...texts.values());
        }),
      )
      .toBeGreaterThan(1_500);

  test('of a word in more texts than are ranked, the last page says that some may be missing', async () => {
    await write({ a: many('kayak'), b: ['a canoe'] });
    await common('kayak');
    const first = await search('kayak', { limit: 10 });
    expect(first.nextCursor).toBeDefined();
    expect(first.missing).toBeUndefined();
    const all = await search('kayak', { limit: 5_000 });
    expect(all.hits.length).toBeGreaterThanOrEqual(1_500);
    expect(all.missing).toContain('too common to rank every match');
    const ranked = await graph.read((reader) => searchRanked(reader, 'kayak', { limit: 50 }));
    expect(ranked.missing).toContain('too common to rank every match');
    expect((await search('canoe', { limit: 5_000 })).missing).toBeUndefined();
  });

  test('of several common words, what has only the more common one is missing, and that is said', async () => {
    await write({ a: many('kayak'), b: [...many('canoe'), 'canoe'] });
    await write({ c: ['kayak here'], d: ['canoe here'] }, 'place');
    await common('kayak', 'cano');
    const { hits, missing } = await search('kayak canoe', { types: ['place'] });
    expect(hits.map(({ node }) => node.name)).toEqual(['c']);
    expect(missing).toContain('too common to rank every match');
    expect((await search('canoe', { types: ['place'] })).missing).toBeUndefined();
  });

  test('of one node, every text with a word of the query is found, however common the words are', async () => {
    await write({
      a: many('kayak'),
      b: [...many('canoe'), 'canoe'],
      c: ['the canoe', 'a tent', 'x', 'y', 'z'],
    });
    await common('kayak', 'cano');
    const [c] = await graph.read((reader) => reader.nodesNamed(['c']));
    const { hits, missing } = await search('kayak canoe', { node: c?.id });
    expect(hits[0]).toMatchObject({ text: 'the canoe', ordinal: 1 });
    expect(hits.map(({ text }) => text)).not.toContain('z');
    expect(missing).toBeUndefined();
  });

  test('what was just written is found, however much it was', async () => {
    await write({ a: [...many('tent'), 'kayak'] });
    expect((await texts('kayak'))[0]).toBe('kayak');
  });

  test('a query without words finds nothing', async () => {
    await write({ a: ['run'] });
    expect(await texts(' ?! ')).toEqual([]);
  });

  test('every text with a word of the query is found, best first', async () => {
    const word = fc.constantFrom('run', 'walk', 'swim', 'climb', 'rest');
    const sentence = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
    const nodes = fc.array(fc.array(sentence, { maxLength: 5 }), { minLength: 1, maxLength: 4 });
    let round = 0;
    await fc.assert(
      fc.asyncProperty(nodes, sentence, async (contents, query) => {
        round += 1;
        const type = `round ${round}`;
        await write(
          Object.fromEntries(contents.map((observations, at) => [`r${round}n${at}`, observations])),
          type,
        );
        const { hits } = await search(query, { types: [type], limit: 1_000 });
        const wanted = new Set(query.split(' '));
        const matching = contents.flatMap((observations, at) =>
          observations.flatMap((text, index) =>
            text.split(' ').some((one) => wanted.has(one)) ? [`r${round}n${at} ${index + 1}`] : [],
          ),
        );
        const found = hits.map(({ node, ordinal }) => `${node.name} ${ordinal}`);
        expect(found).toEqual(expect.arrayContaining(matching));
        expect(new Set(found).size).toBe(found.length);
        const scores = hits.map(({ score }) => score);
        expect(scores).toEqual([...scores].sort((a, b) => b - a));
      }),
      { numRuns: times(5, 15) },
    );
  });
});
