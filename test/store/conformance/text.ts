import { describe, expect, test } from 'vitest';
import type { StoreContext } from './context.js';
import { put } from './graph-by-name.js';

/** Candidates for search are complete. */
export function textConformance(context: StoreContext): void {
  const { write, read } = context;
  describe('text', () => {
    test('nodesContaining proposes every node with the substring, however short, in name, type or observation', async () => {
      await write(async (writer) => {
        await put(writer, { nodes: { Alpha: ['Likes TEA'], Beta: ['drinks coffee'] } });
        await put(writer, { nodes: { Gamma: [] }, type: 'Teacher' });
      });
      const containing = (needle: string) =>
        read(async (reader) => {
          const { nodes } = await reader.nodesContaining(needle);
          return (await reader.nodesById(nodes)).map((node) => node.name);
        });
      expect(await containing('tea')).toEqual(['Alpha', 'Gamma']);
      expect(await containing('kes te')).toEqual(['Alpha']);
      expect(await containing('fe')).toEqual(['Beta']);
      expect(await containing('likes teapots')).toEqual([]);
    });

    test('texts are found by their stems, those with all of them, of nodes and observations apart', async () => {
      await write((writer) =>
        put(writer, {
          nodes: { 'Long run': ['She was running home'], b: ['a run of luck'], c: ['runs, and walks'] },
        }),
      );
      const found = (...stems: string[]) =>
        read(async (reader) => ({
          nodes: (await reader.nodesWithWords(stems, { limit: 10 })).map(({ name }) => name),
          texts: (await reader.observationsWithWords(stems, { limit: 10 })).map(({ text }) => text).sort(),
        }));
      expect(await found('run')).toEqual({
        nodes: ['Long run'],
        texts: ['She was running home', 'a run of luck', 'runs, and walks'],
      });
      expect(await found('run', 'walk')).toEqual({ nodes: [], texts: ['runs, and walks'] });
      expect(await found('nothing')).toEqual({ nodes: [], texts: [] });
    });

    test('texts are found by any of some stems, each once', async () => {
      await write((writer) =>
        put(writer, { nodes: { 'A walk': ['a run and a walk'], b: ['run'], c: ['walks'], d: ['swims'] } }),
      );
      const found = (...stems: string[]) =>
        read(async (reader) => ({
          nodes: (await reader.nodesWithWords(stems, { limit: 10, match: 'any' })).map(({ name }) => name),
          texts: (await reader.observationsWithWords(stems, { limit: 10, match: 'any' }))
            .map(({ text }) => text)
            .sort(),
        }));
      const expected = { nodes: ['A walk'], texts: ['a run and a walk', 'run', 'walks'] };
      expect(await found('run', 'walk', 'nothing')).toEqual(expected);
      expect(await found()).toEqual({ nodes: [], texts: [] });
      await new Promise((resolve) => setTimeout(resolve, 400));
      expect(await found('run', 'walk', 'nothing')).toEqual(expected);
    });

    test('a look-up by words keeps to the types, the node and the limit it is given', async () => {
      const { result: ids } = await write(async (writer) => {
        await put(writer, { nodes: { hill: ['a run'] }, type: 'place' });
        return put(writer, { nodes: { ann: ['a run', 'another run'], bob: ['run'] }, type: 'person' });
      });
      const count = (query: { types?: string[]; node?: number; limit?: number }) =>
        read(async (reader) => (await reader.observationsWithWords(['run'], { limit: 10, ...query })).length);
      expect(await count({})).toBe(4);
      expect(await count({ types: ['place'] })).toBe(1);
      expect(await count({ node: ids['ann'] ?? 0 })).toBe(2);
      expect(await count({ limit: 3 })).toBe(3);
    });

    test('word statistics count texts, before and after the index has caught up', async () => {
      await write((writer) => put(writer, { nodes: { run: ['a run', 'a walk'], b: ['walking, walked'] } }));
      const count = () => read((reader) => reader.wordStatistics(['run', 'walk', 'swim']));
      const expected = {
        nodes: 2,
        observations: 3,
        texts: new Map([
          ['run', 2],
          ['walk', 2],
          ['swim', 0],
        ]),
      };
      expect(await count()).toEqual(expected);
      await new Promise((resolve) => setTimeout(resolve, 400));
      expect(await count()).toEqual(expected);
    });

    test('word statistics follow what is written after they were counted', async () => {
      const { result: ids } = await write((writer) =>
        put(writer, { nodes: { a: ['one', 'two', 'three'], b: ['four'] } }),
      );
      const count = () =>
        read(async (reader) => {
          const { nodes, observations } = await reader.wordStatistics(['one']);
          return { nodes, observations };
        });
      expect(await count()).toEqual({ nodes: 2, observations: 4 });
      await write((writer) => put(writer, { nodes: { c: ['five'] }, edges: ['c knows somebody'] }));
      expect(await count()).toEqual({ nodes: 3, observations: 5 });
      await write((writer) => writer.putObservations([{ node: ids['a'] ?? 0, ordinal: 1, text: 'other' }]));
      expect(await count()).toEqual({ nodes: 3, observations: 5 });
      await write((writer) => writer.removeObservations([{ node: ids['b'] ?? 0, ordinal: 1 }]));
      await write((writer) => writer.removeNodes([ids['a'] ?? 0]));
      expect(await count()).toEqual({ nodes: 2, observations: 1 });
    });

    test('observations are read by ranges of ordinals, each once', async () => {
      const { result: ids } = await write((writer) =>
        put(writer, { nodes: { a: ['1', '2', '3', '4', '5'], b: ['x', 'y'] } }),
      );
      const [a = 0, b = 0] = [ids['a'], ids['b']];
      const found = await read((reader) =>
        reader.observationsBetween([
          { node: a, from: 2, to: 4 },
          { node: a, from: 3, to: 9 },
          { node: b, from: -1, to: 1 },
        ]),
      );
      expect(found.map(({ text }) => text)).toEqual(['2', '3', '4', '5', 'x']);
    });

    test('search finds the same before and after the index has caught up', async () => {
      await write((writer) => put(writer, { nodes: { a: ['zanzibar ferry'], b: ['nothing here'] } }));
      const find = () => read(async (reader) => (await reader.nodesContaining('zanzibar')).nodes.length);
      const words = () =>
        read(async (reader) => (await reader.observationsWithWords(['zanzibar'], { limit: 5 })).length);
      expect([await find(), await words()]).toEqual([1, 1]);
      await new Promise((resolve) => setTimeout(resolve, 400));
      expect([await find(), await words()]).toEqual([1, 1]);
    });

    test('what was deleted is not found', async () => {
      const { result: ids } = await write((writer) => put(writer, { nodes: { a: ['zanzibar'], b: [] } }));
      await write((writer) => writer.removeObservations([{ node: ids['a'] ?? 0, ordinal: 1 }]));
      expect((await read((reader) => reader.nodesContaining('zanzibar'))).nodes).toEqual([]);
      expect(await read((reader) => reader.observationsWithWords(['zanzibar'], { limit: 5 }))).toEqual([]);
    });
  });
}
