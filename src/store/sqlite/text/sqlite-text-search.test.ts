import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { times } from '../../../../test/helpers/full.js';
import { stems } from '../../text/words.js';
import { SqliteConnection } from '../sqlite-connection.js';
import { openSqliteStore, type SqliteStore } from '../sqlite-store.js';
import { writeTransaction } from '../transaction.js';
import { indexPending, pendingCount } from './text-index.js';

const folder = mkdtempSync(join(tmpdir(), 'trellis-'));
const author = { actor: 'ann', tool: 'test' };
let store: SqliteStore;
let graphs = 0;

beforeAll(async () => {
  store = await openSqliteStore(join(folder, 'store.db'));
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

async function indexAll() {
  const connection = new SqliteConnection(store.location);
  while ((await pendingCount(connection)) > 0) {
    await writeTransaction(connection, () => indexPending(connection, 1_000));
  }
  connection.close();
}

/** A new graph whose first texts are indexed and whose last ones are not; answers the node of each text. */
async function graphWith(indexed: readonly string[], pending: readonly string[]) {
  const graph = `g${++graphs}`;
  await store.createGraph(graph);
  const add = async (texts: readonly string[], label: string) => {
    const { result } = await store.write({ graph }, author, async (writer) => {
      const identities = await writer.addIdentities(
        texts.map((_, index) => ({ type: '', name: `${label}${index}` })),
      );
      await writer.putNodes(identities.map(({ node, name, type }) => ({ id: node, name, type })));
      await writer.putObservations(identities.map(({ node }, index) => ({ node, text: texts[index] ?? '' })));
      return identities.map((identity) => identity.node);
    });
    return result;
  };
  const first = await add(indexed, '~');
  await indexAll();
  const nodes = [...first, ...(await add(pending, '^'))];
  const texts = [...indexed, ...pending];
  const nodesWhere = (has: (text: string) => boolean) => nodes.filter((_, index) => has(texts[index] ?? ''));
  return { graph, nodesWhere };
}

const unit = fc.constantFrom(
  'a',
  'b',
  'C',
  'İ',
  'ß',
  'Σ',
  '日',
  '本',
  '🧠',
  '"',
  "'",
  '*',
  ' ',
  '-',
  '%',
  '1',
);
const text = fc.string({ unit, maxLength: 12 });
const texts = fc.array(text, { maxLength: 5 });

test('nodesContaining proposes every node that contains the needle, indexed or not', async () => {
  await fc.assert(
    fc.asyncProperty(texts, texts, text, async (indexed, pending, query) => {
      const needle = query.toLowerCase();
      const { graph, nodesWhere } = await graphWith(indexed, pending);
      const hits = await store.read({ graph }, (reader) => reader.nodesContaining(needle));
      const expected = nodesWhere((content) => content.toLowerCase().includes(needle));
      expect(hits.nodes).toEqual(expect.arrayContaining(expected));
    }),
    { numRuns: times(15, 60) },
  );
});

test('a stem finds exactly the nodes with it, indexed or not', async () => {
  const words = fc.constantFrom('run', 'running', 'ran', 'Straße', '日本語', 'naïve', '42', 'x');
  const sentences = fc.array(
    fc.array(words, { maxLength: 4 }).map((parts) => parts.join(' ')),
    { maxLength: 5 },
  );
  await fc.assert(
    fc.asyncProperty(sentences, sentences, words, async (indexed, pending, word) => {
      const [stem = ''] = stems(word);
      const { graph, nodesWhere } = await graphWith(indexed, pending);
      const found = await store.read({ graph }, async (reader) => [
        ...(await reader.nodesWithWords([stem], { limit: 100 })).map(({ id }) => id),
        ...(await reader.observationsWithWords([stem], { limit: 100 })).map(({ node }) => node),
      ]);
      const expected = nodesWhere((content) => stems(content).includes(stem));
      expect([...new Set(found)].sort((a, b) => a - b)).toEqual(expected);
    }),
    { numRuns: times(10, 40) },
  );
});

test('how many texts have a common stem is counted anew when the graph has grown by a twentieth', async () => {
  const { graph } = await graphWith(new Array(5_000).fill('tea'), []);
  const add = (count: number) =>
    store.write({ graph }, author, async (writer) => {
      const [first] = await writer.nodes({ limit: 1 });
      await writer.putObservations(
        Array.from({ length: count }, () => ({ node: first?.id ?? 0, text: 'tea' })),
      );
    });
  const count = () =>
    store.read({ graph }, async (reader) => (await reader.wordStatistics(['tea'])).texts.get('tea'));
  expect(await count()).toBe(5_000);
  await add(100);
  expect(await count()).toBe(5_000);
  // The nodes are texts, too.
  await add(401);
  await indexAll();
  expect(await count()).toBe(5_501);
});
