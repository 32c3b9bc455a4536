import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { createEdgesWithStubs } from '../../src/engine/write/create-edges-with-stubs.js';
import { createNodesLenient } from '../../src/engine/write/create-nodes-lenient.js';
import { limits } from '../../src/model/limits.js';
import { hashedNameIndex } from '../../src/store/postgres/name-hash.js';
import { openPool } from '../../src/store/postgres/pool.js';
import { postgres, type Scratch, scratchStore } from '../helpers/stores.js';

const author = { actor: 'ann', tool: 'test' };

let scratch: Scratch;
let graph: Graph;

beforeAll(async () => {
  scratch = await scratchStore(postgres);
  graph = new Graph(scratch.store, 'default');
});
afterAll(() => scratch.dispose());

/** Texts that nothing compresses. */
function random(length: number, letters: (number: number) => string): string {
  let seed = length;
  return Array.from({ length }, () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return letters(seed >> 8);
  }).join('');
}
const ascii = (number: number) => String.fromCharCode(33 + (number % 94));
const chinese = (number: number) => String.fromCharCode(0x4e00 + (number % 20_000));

async function graphId(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ id: number }>('select id from graph');
  return rows[0]?.id ?? 0;
}

const node = (name: string, type = 'note') => ({ type, name, observations: ['x'] });

describe('names as long as the tools take them', () => {
  test.each([
    ['ascii', random(limits.nameLength, ascii)],
    ['three bytes a letter', random(limits.nameLength, chinese)],
  ])('of %s are written, found and joined, each as itself', async (_, name) => {
    const other = `${name.slice(0, -1)}.`;
    await graph.write(author, (tx) => createNodesLenient(tx, [node(name), node(other)]));
    await graph.write(author, (tx) => createEdgesWithStubs(tx, [{ from: name, to: other, type: 'knows' }]));
    const found = (names: string[]) => graph.read((reader) => reader.nodesNamed(names));
    expect(await found([name])).toMatchObject([{ name, type: 'note' }]);
    expect((await found([name, other])).map((one) => one.name)).toEqual([name, other]);
    expect(await found([name.slice(0, -1)])).toEqual([]);
    expect(await graph.read((reader) => reader.edgesNamed([other]))).toHaveLength(1);
  });

  test('mean one node for each type, whoever writes them', async () => {
    const name = random(limits.nameLength - 1, chinese);
    const made = (type: string) => graph.write(author, (tx) => createNodesLenient(tx, [node(name, type)]));
    await Promise.all([made('note'), made('note'), made('task')]);
    const pool = openPool(scratch.path);
    try {
      const same = `select * from identity where graph = ${await graphId(pool)} and name = ${pg.escapeLiteral(name)}`;
      const again = pool.query(`insert into identity ${same}`);
      await expect(again).rejects.toMatchObject({ code: '23505' });
    } finally {
      await pool.end();
    }
  });
});

test('names are looked up by index, however many there are', async () => {
  const pool = openPool(scratch.path);
  try {
    await graph.write(author, (tx) =>
      createNodesLenient(
        tx,
        Array.from({ length: 3_000 }, (_, index) => node(`n${index}`)),
      ),
    );
    await pool.query('analyze identity');
    const id = await graphId(pool);
    for (const names of [['n7'], Array.from({ length: 50 }, (_, index) => `n${index}`)]) {
      const { sql, params } = hashedNameIndex.matchesAny(names);
      const places = sql.replace('?', '$1').replace('?', '$2');
      const plan = await pool.query(
        `explain select i.node from identity i where i.graph = ${id} and ${places}`,
        [...params],
      );
      const text = JSON.stringify(plan.rows);
      expect(text).toContain('identity_pkey');
      expect(text).not.toContain('Seq Scan on identity');
    }
  } finally {
    await pool.end();
  }
});

test.each([random(2_450, ascii), random(800, chinese)])(
  'a type of 2,500 bytes fits, as do its edges',
  async (type) => {
    const [name, other] = [`a ${type.length}`, `b ${type.length}`];
    await graph.write(author, (tx) => createNodesLenient(tx, [node(name, type), node(other, type)]));
    await graph.write(author, (tx) => createEdgesWithStubs(tx, [{ from: name, to: other, type }]));
    expect(await graph.read((reader) => reader.nodesNamed([name]))).toMatchObject([{ name, type }]);
  },
);

test('a longer type is refused with what fits, and nothing is written', async () => {
  const before = await graph.read((reader) => reader.counts());
  const write = graph.write(author, (tx) =>
    createNodesLenient(tx, [node('short'), node('typed', random(limits.nameLength, chinese))]),
  );
  await expect(write).rejects.toMatchObject({
    code: 'LIMIT_EXCEEDED',
    hint: expect.stringContaining('2,500 bytes'),
  });
  expect(await graph.read((reader) => reader.counts())).toEqual(before);
});
