import { beforeEach, describe, expect, test } from 'vitest';
import { author, main, type StoreContext } from './context.js';
import { put } from './graph-by-name.js';

const day = 86_400_000;

/** A schema belongs to the history of its graph, and every write is held against it. */
export function schemasConformance(context: StoreContext): void {
  const { write, read, look } = context;
  const set = (source: string | null, branch?: string) => write((writer) => writer.setSchema(source), branch);
  const schema = (branch?: string, commit?: string) => read((reader) => reader.schema(), branch, commit);
  const make = (name: string, branch?: string) =>
    write((writer) => put(writer, { nodes: { [name]: [] } }), branch);

  describe.runIf(!context.kind.capabilities.schemas)('schemas, where there is no place for them', () => {
    test('a graph has none, and cannot be given one', async () => {
      expect(await schema()).toBeNull();
      await expect(set('only a')).rejects.toMatchObject({ code: 'CAPABILITY_MISSING' });
      await make('b');
    });
  });

  describe.runIf(context.kind.capabilities.schemas)('schemas', () => {
    test('setting one is a commit; without one there is none', async () => {
      expect(await schema()).toBeNull();
      const { commit } = await set('only a');
      expect(commit).toMatchObject({ branch: 'main' });
      expect(await schema()).toBe('only a');
      await context.reopen();
      expect(await schema()).toBe('only a');
    });

    test('what is no schema is not set', async () => {
      await expect(set('nonsense')).rejects.toThrow();
      expect(await schema()).toBeNull();
      await make('b');
    });

    test('a write is held against it, and leaves nothing if it does not fit', async () => {
      await set('only a');
      await make('a');
      await expect(write((writer) => put(writer, { nodes: { a: ['more'], b: [] } }))).rejects.toMatchObject({
        code: 'SCHEMA_VIOLATION',
        details: { count: 1, problems: [{ path: 'thing/b' }] },
      });
      expect(await look()).toEqual({ nodes: { a: [] }, edges: [] });
      const [a] = await read((reader) => reader.nodesNamed(['a']));
      expect(a?.props).toEqual({ held: 'only a' });
    });

    test('what a write puts and removes again is not held against it', async () => {
      await set('only a');
      await write(async (writer) => {
        const ids = await put(writer, { nodes: { b: [] } });
        expect(await writer.violations()).toHaveLength(1);
        await writer.removeNodes(Object.values(ids));
        expect(await writer.violations()).toEqual([]);
      });
    });

    test('what is put after the schema was set in the same write is held against it', async () => {
      await expect(
        write(async (writer) => {
          await writer.setSchema('only a');
          expect(await writer.schema()).toBe('only a');
          await put(writer, { nodes: { b: [] } });
        }),
      ).rejects.toMatchObject({ code: 'SCHEMA_VIOLATION' });
      expect(await schema()).toBeNull();
    });

    test('an old commit is read with the schema of its time', async () => {
      const before = (await make('x')).commit?.id;
      const first = (await set('only a')).commit?.id;
      const written = (await make('a')).commit?.id;
      const second = (await set('only a b')).commit?.id;
      await set(null);
      expect(await schema(undefined, before)).toBeNull();
      expect(await schema(undefined, first)).toBe('only a');
      expect(await schema(undefined, written)).toBe('only a');
      expect(await schema(undefined, second)).toBe('only a b');
      expect(await schema()).toBeNull();
      await make('anything');
    });

    test('a branch has the schema of its parent at its fork point, whatever happens there later', async () => {
      await set('only a');
      await context.store.createBranch('default', 'try');
      await set('only b');
      await context.store.createBranch('default', 'deeper', 'try');
      expect(await schema('try')).toBe('only a');
      expect(await schema('deeper')).toBe('only a');
      expect(await schema()).toBe('only b');
      await make('a', 'deeper');
      await expect(make('b', 'try')).rejects.toMatchObject({ code: 'SCHEMA_VIOLATION' });
      const own = (await set('only c', 'try')).commit?.id;
      expect(await schema('try')).toBe('only c');
      expect(await schema(undefined, own)).toBe('only c');
      expect(await schema('deeper')).toBe('only a');
    });

    test('other processes and writes of the same batch see a schema as soon as it is set', async () => {
      const other = await context.another();
      try {
        expect(await other.read(main, (reader) => reader.schema())).toBeNull();
        const outcomes = await Promise.allSettled([set('only a'), make('b'), make('a')]);
        expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
        expect(await other.read(main, (reader) => reader.schema())).toBe('only a');
        await expect(
          other.write(main, author, (writer) => put(writer, { nodes: { b: [] } })),
        ).rejects.toMatchObject({ code: 'SCHEMA_VIOLATION' });
      } finally {
        await other.close();
      }
    });

    test('a store that cannot compile schemas refuses to write to a graph with one', async () => {
      await set('only a');
      const other = await context.openAnother();
      try {
        await expect(
          other.write(main, author, (writer) => put(writer, { nodes: { a: [] } })),
        ).rejects.toMatchObject({ code: 'CAPABILITY_MISSING' });
        expect(await other.read(main, (reader) => reader.schema())).toBe('only a');
      } finally {
        await other.close();
      }
    });

    test('a commit that is brought from elsewhere brings its schema, and is not held against it', async () => {
      const id = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
      await context.store.write(
        main,
        author,
        async (writer) => {
          await writer.setSchema('only a');
          await put(writer, { nodes: { b: [] } });
        },
        { id },
      );
      expect(await schema(undefined, id)).toBe('only a');
      const commit = await context.store.commit('default', id);
      expect(await context.store.touchedBy('default', commit)).toMatchObject({ schema: 'only a' });
    });

    test('collecting drops the schemas that hold nowhere any more', async () => {
      await set('only a');
      await set('only a b');
      const third = (await set('only a b c')).commit?.id;
      await set('only d');
      context.now += day;
      await context.store.collect('default', { before: context.now });
      expect(await schema(undefined, third)).toBe('only a b c');
      expect(await schema()).toBe('only d');
      const { left } = await context.store.purge('default', { text: 'only', dryRun: true });
      expect(left).toEqual([expect.stringMatching(/^schemas.*: 2$/)]);
    });

    test('a purge takes a text out of every version, but not where none would be left', async () => {
      await set('only secret a');
      const second = (await set('only secret b')).commit?.id;
      const purged = await context.store.purge('default', { text: 'secret' });
      expect(purged).toMatchObject({ schemas: 2, left: [] });
      expect(await schema(undefined, second)).toBe('only [purged] b');
      const again = await context.store.purge('default', { text: 'only' });
      expect(again).toMatchObject({ schemas: 0, left: [expect.stringMatching(/^schemas/)] });
      expect(await schema()).toBe('only [purged] b');
      await make('b');
    });

    test('a deleted graph leaves none', async () => {
      const [{ id } = { id: 0 }] = await context.store.graphs();
      await set('only a');
      await context.store.deleteGraph('default');
      expect(await context.tablesWith(id)).toEqual([]);
    });
  });

  describe('what a schema is checked with', () => {
    beforeEach(() =>
      write(async (writer) => {
        const ids = await put(writer, {
          nodes: { a: [], b: [], c: [] },
          edges: ['a to b', 'a to c', 'b to a'],
        });
        const nodes = await writer.nodesById(Object.values(ids));
        await writer.putNodes(
          nodes.map((node) => ({ ...node, props: { email: `${node.name}@x.org`, n: 1, on: true } })),
        );
      }),
    );

    test('nodes are found by many values of a property at once', async () => {
      const found = async (property: string, values: (string | number | boolean)[]) =>
        (
          await read(async (reader) => {
            const [{ type } = { type: '' }] = await reader.nodesNamed(['a']);
            return reader.nodesWithValues(type, property, values);
          })
        ).map(({ name }) => name);
      expect(await found('email', ['a@x.org', 'c@x.org', 'nobody'])).toEqual(['a', 'c']);
      expect(await found('email', [])).toEqual([]);
      expect(await found('n', ['1'])).toEqual([]);
      expect(await found('on', [true])).toEqual(['a', 'b', 'c']);
      expect(await found('__proto__', ['x'])).toEqual([]);
    });

    test('edges of a type are counted by where they start, and listed', async () => {
      const counts = await read(async (reader) => {
        const nodes = await reader.nodesNamed(['a', 'b', 'c']);
        const counted = await reader.countEdgesFrom(
          nodes.map(({ id }) => id),
          'to',
        );
        return nodes.map(({ id, name }) => [name, counted.get(id)]);
      });
      expect(counts).toEqual([
        ['a', 2],
        ['b', 1],
        ['c', undefined],
      ]);
      expect(await read((reader) => reader.countEdgesFrom([], 'to'))).toEqual(new Map());
      expect(await read((reader) => reader.edges({ types: ['to'] }))).toHaveLength(3);
      expect(await read((reader) => reader.edges({ types: ['other'] }))).toEqual([]);
    });
  });
}
