import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { zeroChangeCounts } from '../model/commit.js';
import { defaultGraph } from '../model/graph-record.js';
import type { EdgeDraft, NodeDraft } from '../store/drafts.js';
import { openInMemorySqliteStore } from '../store/sqlite/sqlite-store.js';
import type { Store } from '../store/store-contract.js';
import type { Writer } from '../store/writer.js';
import { graphDigest } from './graph-digest.js';
import { headDigest } from './head-pages.js';

const author = { actor: 'ann', tool: 'test' };
const stamp = { id: '01', time: 1_000, counts: zeroChangeCounts };

/** What may be different in a graph of two nodes, an observation and an edge. */
interface Variation {
  readonly names?: readonly [string, string];
  readonly node?: Partial<NodeDraft>;
  readonly edge?: Partial<EdgeDraft>;
  readonly ordinal?: number;
  readonly author?: Partial<typeof author>;
  readonly stamp?: Partial<typeof stamp> & { mergedParent?: string };
  readonly branch?: string;
  readonly forkLate?: boolean;
}

async function digestOf(
  variation: Variation = {},
  prepare?: (store: Store) => Promise<void>,
): Promise<string> {
  const store = await openInMemorySqliteStore();
  await prepare?.(store);
  await store.createGraph(defaultGraph);
  const target = { graph: defaultGraph };
  const by = { ...author, ...variation.author };
  await store.write(target, by, (writer) => draw(writer, variation), { ...stamp, ...variation.stamp });
  if (!variation.forkLate) await store.createBranch(defaultGraph, variation.branch ?? 'b');
  await store.write(target, author, removeFirst, { ...stamp, id: '02' });
  if (variation.forkLate) await store.createBranch(defaultGraph, variation.branch ?? 'b');
  const digest = await graphDigest(store, defaultGraph);
  await store.close();
  return digest;
}

async function draw(writer: Writer, { names = ['x', 'y'], node, edge, ordinal }: Variation): Promise<void> {
  const made = await writer.addIdentities(names.map((name) => ({ type: 't', name })));
  const [first, second] = made.map((identity) => identity.node);
  if (first === undefined || second === undefined) throw new Error('No nodes were made.');
  const [fromName, toName] = names;
  await writer.putNodes([
    { id: first, type: 't', name: fromName, ...node },
    { id: second, type: 't', name: toName },
  ]);
  await writer.putObservations([{ node: first, text: 'one', ordinal: ordinal ?? 1 }]);
  await writer.putEdges([
    { from: second, to: second, type: 'to', key: '', fromName: toName, toName, ...edge },
  ]);
}

async function removeFirst(writer: Writer): Promise<void> {
  const [node] = await writer.nodes({ limit: 1 });
  await writer.removeNodes(node === undefined ? [] : [node.id]);
}

describe('the digest of a graph', () => {
  test('is the same whatever numbers the store gave out', async () => {
    const busy = async (store: Store) => {
      await store.createGraph('other');
      await store.write({ graph: 'other' }, author, (writer) => draw(writer, {}));
    };
    expect(await digestOf({}, busy)).toBe(await digestOf());
    expect(await digestOf()).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each<[string, Variation]>([
    ['a name', { names: ['x', 'z'] }],
    ['the order', { names: ['y', 'x'] }],
    ['a position', { node: { position: 7 } }],
    ['a summary', { node: { summary: 's' } }],
    ['the time of a summary', { node: { summaryUpdatedAt: 5 } }],
    ['tags', { node: { tags: ['a'] } }],
    ['properties', { node: { props: { a: 1 } } }],
    ['provenance', { node: { provenance: { source: 's' } } }],
    ['the provenance of a property', { node: { provenance: { properties: { a: { source: 's' } } } } }],
    ['a merge key', { node: { provenance: { merge_keys: ['a'] } } }],
    ['the provenance of an edge', { edge: { provenance: { source: 's' } } }],
    ['a time', { node: { createdAt: 5 } }],
    ['being a stub', { node: { stub: true } }],
    ['an ordinal', { ordinal: 2 }],
    ['a weight', { edge: { weight: 0.5 } }],
    ['an edge key', { edge: { key: 'k' } }],
    ['an edge property', { edge: { props: { a: 1 } } }],
    ['the id of a commit', { stamp: { id: '00' } }],
    ['the time of a commit', { stamp: { time: 1_001 } }],
    ['the counts of a commit', { stamp: { counts: { ...zeroChangeCounts, nodesCreated: 2 } } }],
    ['a merged parent', { stamp: { mergedParent: '00' } }],
    ['the actor', { author: { actor: 'bob' } }],
    ['the tool', { author: { tool: 'other' } }],
    ['the name of a branch', { branch: 'c' }],
    ['the fork of a branch', { forkLate: true }],
  ])('is another if %s is', async (_, variation) => {
    expect(await digestOf(variation)).not.toBe(await digestOf());
  });

  test('of the head alone is that of the exported lines', async () => {
    const store = await openInMemorySqliteStore();
    await store.createGraph(defaultGraph);
    await store.write({ graph: defaultGraph }, author, (writer) => draw(writer, {}));
    const lines = [
      '{"type":"entity","name":"x","entityType":"t","observations":["one"]}',
      '{"type":"entity","name":"y","entityType":"t","observations":[]}',
      '{"type":"relation","from":"y","to":"y","relationType":"to"}',
    ];
    const hash = createHash('sha256').update(lines.map((line) => `${line}\n`).join(''));
    expect(await headDigest(store, defaultGraph)).toBe(hash.digest('hex'));
    await store.close();
  });
});
