import { afterAll, beforeAll, expect, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { createEdges } from '../../src/engine/write/create-edges.js';
import { createNodes } from '../../src/engine/write/create-nodes.js';
import { databaseKinds, type Scratch, scratchStore, sqlite } from '../helpers/stores.js';

const author = { actor: 'ann', tool: 'test' };
const postgres = databaseKinds.find(({ kind }) => kind === 'postgres') ?? sqlite;

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

test.each([
  { name: random(2_000, ascii), type: random(450, ascii) },
  { name: random(700, chinese), type: random(100, chinese) },
])('a name and a type of 2,500 bytes fit, as do their edges', async ({ name, type }) => {
  const other = `${name.slice(0, -1)}.`;
  const node = (of: string) => ({ type, name: of, observations: ['x'] });
  await graph.write(author, (tx) => createNodes(tx, [node(name), node(other)]));
  await graph.write(author, (tx) => createEdges(tx, [{ from: name, to: other, type }]));
  expect(await graph.read((reader) => reader.nodesNamed([name]))).toMatchObject([{ name, type }]);
});

test('a longer one is refused with what fits, and nothing is written', async () => {
  const before = await graph.read((reader) => reader.counts());
  const name = random(4_096, chinese);
  const write = graph.write(author, (tx) =>
    createNodes(tx, [
      { type: 'note', name: 'short', observations: [] },
      { type: 'note', name, observations: [] },
    ]),
  );
  await expect(write).rejects.toMatchObject({
    code: 'LIMIT_EXCEEDED',
    hint: expect.stringContaining('2,500 bytes'),
  });
  expect(await graph.read((reader) => reader.counts())).toEqual(before);
});
