import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { times } from '../helpers/full.js';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';
import { WorkspaceTools } from '../helpers/workspace-tools.js';

interface Numbered {
  ordinal: number;
  content: string;
}

describe.each(databaseKinds)('observations of a workspace on $kind', (kind) => {
  let scratch: Scratch;
  let tools: WorkspaceTools;
  beforeEach(async () => {
    scratch = await scratchStore(kind);
    tools = await WorkspaceTools.open(scratch.store);
  });
  afterEach(async () => {
    await tools.close();
    await scratch.dispose();
  });

  const numbered = async (name: string): Promise<Numbered[]> => {
    const opened = await tools.ok<{ entities: { observations: Numbered[] }[] }>('open_nodes', {
      names: [name],
    });
    return opened.entities[0]?.observations ?? [];
  };
  const add = (entity_name: string, ...contents: string[]) =>
    tools.list<{ added: Numbered[]; not_found: boolean }>('add_observations', {
      observations: [{ entity_name, contents }],
    });
  const remove = (entity_name: string, ...ordinals: number[]) =>
    tools.list('delete_observations', { deletions: [{ entity_name, ordinals }] });

  test('add_observations appends in order, also what is there already, and says who is not', async () => {
    await tools.create({ name: 'A', observations: ['x'] });
    const added = await tools.list('add_observations', {
      observations: [
        { entity_name: 'A', contents: ['x', 'y'] },
        { entity_name: 'Nobody', contents: ['z'] },
        { entity_name: 'A', contents: ['w'] },
        { entity_name: 'A', contents: [] },
      ],
    });
    expect(added).toEqual([
      {
        entity_name: 'A',
        added: [
          { ordinal: 2, content: 'x' },
          { ordinal: 3, content: 'y' },
        ],
        not_found: false,
      },
      { entity_name: 'Nobody', added: [], not_found: true },
      { entity_name: 'A', added: [{ ordinal: 4, content: 'w' }], not_found: false },
      { entity_name: 'A', added: [], not_found: false },
    ]);
    expect((await numbered('A')).map(({ content }) => content)).toEqual(['x', 'x', 'y', 'w']);
  });

  test('add_observations refuses what cannot be stored, all of it', async () => {
    await tools.create({ name: 'A' });
    expect(
      await tools.error('add_observations', {
        observations: [{ entity_name: 'A', contents: ['ok', '\ud800'] }],
      }),
    ).toContain('surrogate');
    expect(await tools.error('add_observations', { observations: [{ entity_name: 'A' }] })).toContain(
      'contents',
    );
    expect(await numbered('A')).toEqual([]);
    expect(await tools.list('add_observations', { observations: [] })).toEqual([]);
  });

  test('replace_observation keeps the ordinal and answers what stood there', async () => {
    await tools.create({ name: 'A', observations: ['one', 'two', 'three'] });
    const replaced = await tools.ok('replace_observation', {
      entity_name: 'A',
      ordinal: 2,
      new_content: 'TWO',
    });
    expect(replaced).toEqual({ entity_name: 'A', ordinal: 2, old_content: 'two', new_content: 'TWO' });
    expect(await numbered('A')).toEqual([
      { ordinal: 1, content: 'one' },
      { ordinal: 2, content: 'TWO' },
      { ordinal: 3, content: 'three' },
    ]);
  });

  test('replace_observation says what is not there', async () => {
    await tools.create({ name: 'A', observations: ['one'] });
    const replace = (args: object) => tools.error('replace_observation', { new_content: 'x', ...args });
    expect(await replace({ entity_name: 'A', ordinal: 7 })).toContain(
      "Observation at ordinal 7 not found on 'A'",
    );
    expect(await replace({ entity_name: 'Nobody', ordinal: 1 })).toContain("Node 'Nobody' not found");
    expect(await replace({ entity_name: 'A', ordinal: 1.5 })).toContain('ordinal');
    expect(await replace({ entity_name: 'A', ordinal: -1 })).toContain('ordinal');
    expect(await replace({ entity_name: 'A', ordinal: '1' })).toContain('ordinal');
    expect(await replace({ entity_name: 'A', ordinal: 1, new_content: 'a\0' })).toContain('NUL');
    expect(await numbered('A')).toEqual([{ ordinal: 1, content: 'one' }]);
  });

  test('delete_observations deletes by ordinal and renumbers nothing', async () => {
    await tools.create({ name: 'A', observations: ['one', 'two', 'three'] });
    const deleted = await tools.list('delete_observations', {
      deletions: [
        { entity_name: 'A', ordinals: [2, 9, 2] },
        { entity_name: 'Nobody', ordinals: [1, 2] },
        { entity_name: 'A', ordinals: [2] },
      ],
    });
    expect(deleted).toEqual([
      { entity_name: 'A', deleted_ordinals: [2], not_found_ordinals: [9] },
      { entity_name: 'Nobody', deleted_ordinals: [], not_found_ordinals: [1, 2] },
      { entity_name: 'A', deleted_ordinals: [], not_found_ordinals: [2] },
    ]);
    expect((await numbered('A')).map(({ ordinal }) => ordinal)).toEqual([1, 3]);
    expect(await tools.list('delete_observations', { deletions: [] })).toEqual([]);
    expect(await tools.error('delete_observations', { deletions: [{ entity_name: 'A' }] })).toContain(
      'ordinals',
    );
  });

  test('the ordinal of the last observation is not given out again, nor are those of a deleted node', async () => {
    await tools.create({ name: 'A', observations: ['one', 'two'] });
    await remove('A', 2);
    expect((await add('A', 'three'))[0]?.added).toEqual([{ ordinal: 3, content: 'three' }]);
    await tools.ok('delete_entities', { entity_names: ['A'] });
    await tools.create({ name: 'A', observations: ['four'] });
    expect(await numbered('A')).toEqual([{ ordinal: 4, content: 'four' }]);
  });

  test('whatever is added, replaced and deleted, an ordinal means one observation for ever', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('add' as const), count: fc.integer({ min: 0, max: 3 }) }),
      fc.record({ kind: fc.constant('replace' as const), at: fc.nat(9) }),
      fc.record({ kind: fc.constant('delete' as const), at: fc.array(fc.nat(9), { maxLength: 3 }) }),
      fc.record({ kind: fc.constant('recreate' as const) }),
    );
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const name = `node ${++run}`;
        await tools.create({ name });
        const model = new Map<number, string>();
        let highest = 0;
        for (const [index, one] of steps.entries()) {
          if (one.kind === 'add') {
            const texts = Array.from({ length: one.count }, (_, n) => `${index}.${n}`);
            for (const { ordinal, content } of (await add(name, ...texts))[0]?.added ?? []) {
              expect(ordinal).toBeGreaterThan(highest);
              highest = ordinal;
              model.set(ordinal, content);
            }
          } else if (one.kind === 'replace') {
            const args = { entity_name: name, ordinal: one.at, new_content: `r${index}` };
            const { isError } = await tools.call('replace_observation', args);
            expect(isError).toBe(!model.has(one.at));
            if (!isError) model.set(one.at, `r${index}`);
          } else if (one.kind === 'delete') {
            await remove(name, ...one.at);
            for (const ordinal of one.at) model.delete(ordinal);
          } else {
            await tools.ok('delete_entities', { entity_names: [name] });
            await tools.create({ name });
            model.clear();
          }
          const expected = [...model].map(([ordinal, content]) => ({ ordinal, content }));
          expect(await numbered(name)).toEqual(expected.sort((a, b) => a.ordinal - b.ordinal));
        }
      }),
      { numRuns: times(6, 25) },
    );
  });
});
