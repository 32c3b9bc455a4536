import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';
import { block, node, own, prop, query } from './build.js';
import { write } from './people.js';

const author = { actor: 'ann', tool: 'test' };
const graph = 'default';

/** From the second time on, a vocabulary is asked instead of all rows. */
describe.each(databaseKinds)('searching again for almost the same words, on $kind', (kind) => {
  let scratch: Scratch;
  beforeAll(async () => {
    scratch = await scratchStore(kind);
    await write(
      scratch.store,
      ['tea', 'teas and cake', 'coffee', 'water'].map((note, index) => ({
        ...{ type: 'Person', name: `p${index}`, props: { note } },
      })),
    );
  });
  afterAll(() => scratch.dispose());

  const names = async (text: string, target: { branch?: string; commit?: string } = {}) => {
    const operand = prop('p.note', 'String');
    const asked = query(
      block([node('p', 'Person')], { conditions: [{ kind: 'fuzzy', operand, text, edits: null }] }),
      [own('p.id')],
    );
    const { rows } = await scratch.store.read({ graph, ...target }, (reader) => reader.query(asked));
    return rows.map(([name]) => name);
  };
  const put = (name: string, note: string, branch = 'main') =>
    scratch.store.write({ graph, branch }, author, async (writer) => {
      const [known] = await writer.identitiesNamed([name]);
      const [made] = known === undefined ? await writer.addIdentities([{ type: 'Person', name }]) : [known];
      if (made === undefined) throw new Error('There is no node.');
      await writer.putNodes([{ id: made.node, type: 'Person', name, props: { note } }]);
    });

  test('finds what all rows have, and what was written since', async () => {
    for (let times = 0; times < 3; times++) expect(await names('teas')).toEqual(['p0', 'p1']);
    const before = await scratch.store.read(
      { graph },
      async (reader) => (await reader.commits({ limit: 1 }))[0],
    );
    await scratch.store.createBranch(graph, 'other');
    await put('p4', 'a tea');
    await put('p0', 'milk');
    expect(await names('teas')).toEqual(['p1', 'p4']);
    expect(await names('teas cakes')).toEqual(['p1']);
    expect(await names('teas', { commit: before?.commit ?? '' })).toEqual(['p0', 'p1']);
    await put('p5', 'teak', 'other');
    for (let times = 0; times < 3; times++)
      expect(await names('teas', { branch: 'other' })).toEqual(['p0', 'p1', 'p5']);
    for (let times = 0; times < 3; times++)
      expect(await names('teaks', { branch: 'other' })).toEqual(['p1', 'p5']);
    expect(await names('milks')).toEqual(['p0']);
  });

  test('finds what a purge left', async () => {
    await put('p6', 'secretive words');
    for (let times = 0; times < 3; times++) expect(await names('secretive')).toEqual(['p6']);
    await scratch.store.purge(graph, { text: 'secretive' });
    expect(await names('secretive')).toEqual([]);
    expect(await names('words')).toEqual(['p6']);
  });
});
