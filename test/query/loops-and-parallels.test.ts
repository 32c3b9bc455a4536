import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';
import { AskedGraph } from './asked-graph.js';

const schema = `
  node Person { name: String @key }
  edge Knows: Person -> Person { lane: I32 @key(src, dst, lane) }`;

const person = (name: string) => ({ type: 'Person', data: { name } });
const knows = (from: string, to: string, lane = 0) => ({ edge: 'Knows', from, to, data: { lane } });

describe.each(databaseKinds)('edges on $kind', (kind) => {
  let scratch: Scratch;
  beforeAll(async () => {
    scratch = await scratchStore(kind);
  });
  afterAll(() => scratch.dispose());

  describe('from a node to itself, and several between two nodes', () => {
    let asked: AskedGraph;
    beforeAll(async () => {
      asked = new AskedGraph(scratch.store);
      await asked.fill(schema, [
        ...['s', 'a', 'b', 'z'].map(person),
        ...[knows('s', 's'), knows('a', 'b', 1), knows('a', 'b', 2), knows('b', 'a')],
      ]);
    });
    const destinations = async (from: string, path: string) =>
      (
        await asked.rows(`() { match { $p: Person { name: "${from}" } $p ${path} $f } return { $f.name } }`)
      ).flat();

    test('a self-loop is an edge: $p knows $f gives (s, s)', async () => {
      expect(await destinations('s', 'knows')).toEqual(['s']);
      expect(await destinations('s', '$w: knows')).toEqual(['s']);
      expect(await destinations('s', '<knows>')).toEqual(['s']);
    });

    test('with hops {1,2} it is found at the first hop, and {2,2} over nothing else finds nothing', async () => {
      expect(await destinations('s', 'knows{1,2}')).toEqual(['s']);
      expect(await destinations('s', '<knows>{1,3}')).toEqual(['s']);
      expect(await destinations('s', 'knows{2,2}')).toEqual([]);
    });

    test('a longer way does not lead back to its start', async () => {
      expect(await destinations('a', 'knows{1,3}')).toEqual(['b']);
      expect(await destinations('a', 'knows{2,2}')).toEqual([]);
    });

    test('both ends may be one variable', async () => {
      const loops = `{ match { $p: Person  $p knows $p } return { $p.name } }`;
      expect(await asked.rows(`() ${loops}`)).toEqual([['s']]);
      expect(await asked.rows(`() ${loops.replace('knows', '$w: knows')}`)).toEqual([['s']]);
      expect(await asked.rows(`() ${loops.replace('knows', 'knows{1,2}')}`)).toEqual([['s']]);
    });

    test('parallel edges are separate results only when the edge is bound', async () => {
      expect(await destinations('a', 'knows')).toEqual(['b']);
      expect(await destinations('a', '<knows>')).toEqual(['b']);
      expect(await destinations('a', '$w: knows')).toEqual(['b', 'b']);
    });
  });

  test('both spellings of a question agree, whatever the graph', async () => {
    const names = ['a', 'b', 'c'];
    const end = fc.constantFrom(...names);
    const edges = fc.array(fc.tuple(end, end, fc.constantFrom(0, 1)), { maxLength: 6 });
    let graphs = 0;
    await fc.assert(
      fc.asyncProperty(edges, fc.constantFrom('knows', '<knows>'), async (given, edge) => {
        const name = `spellings${graphs++}`;
        await scratch.store.createGraph(name);
        const asked = new AskedGraph(scratch.store, name);
        await asked.fill(schema, [...names.map(person), ...given.map((ends) => knows(...ends))]);
        const who = (clause: string) =>
          asked.rows(`() { match { $p: Person  ${clause} } return { $p.name } }`);
        const bound = edge.replace(/^/, '$w: ');
        const lonely = await who(`not { $p ${edge} $_ }`);
        expect(await who(`not { $p ${bound} $_ }`)).toEqual(lonely);
        expect(await who(`not exists { $p ${edge} $_ }`)).toEqual(lonely);
        const social = await who(`exists { $p ${edge} $_ }`);
        expect(await who(`exists { $p ${bound} $_ }`)).toEqual(social);
        expect(lonely.length + social.length).toBe(names.length);
        const pairs = (path: string) =>
          asked.rows(`() { match { $p: Person  $p ${path} $f } return { $p.name, $f.name, count(1) as n } }`);
        const distinct = (await pairs(bound)).map(([p, f]) => [p, f, 1]);
        expect(await pairs(edge)).toEqual(distinct);
        expect(await pairs(`${edge}{1,1}`)).toEqual(distinct);
        await scratch.store.deleteGraph(name);
      }),
      { numRuns: 15 },
    );
  }, 120_000);
});
