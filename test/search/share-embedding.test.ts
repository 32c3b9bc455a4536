import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { createNodesLenient } from '../../src/engine/write/create-nodes-lenient.js';
import { defaultGraph } from '../../src/model/graph-record.js';
import { type SharedEmbedding, shareEmbedding } from '../../src/search/embedding/share-embedding.js';
import { defaultPerspectives } from '../../src/search/perspectives.js';
import { jsonl, type Scratch, scratchStore, sqlite } from '../helpers/stores.js';

describe('the embedding that surfaces of a store share', () => {
  let scratch: Scratch;
  beforeEach(async () => {
    scratch = await scratchStore(sqlite);
  });
  afterEach(() => scratch.dispose());

  const ollama = { provider: 'ollama', url: 'http://127.0.0.1:1' } as const;
  const share = async (settings: Parameters<typeof shareEmbedding>[1]): Promise<SharedEmbedding> => {
    const shared = await shareEmbedding(scratch.store, settings, () => {});
    if (shared === null) throw new Error('nothing to embed with');
    return shared;
  };

  test('is one for the same settings, whoever asks first, until the last lets go', async () => {
    const [first, second] = await Promise.all([share(ollama), share(ollama)]);
    expect(second.embedder).toBe(first.embedder);
    await first.release();
    const third = await share(ollama);
    expect(third.embedder).toBe(first.embedder);
    await second.release();
    await third.release();
    const anew = await share(ollama);
    expect(anew.embedder).not.toBe(first.embedder);
    await anew.release();
  });

  test('is another one for other settings', async () => {
    const [one, other] = [await share(ollama), await share({ ...ollama, model: 'other' })];
    expect(other.embedder).not.toBe(one.embedder);
    await Promise.all([one.release(), other.release()]);
  });

  test('goes on for those who stay when one lets go', async () => {
    const [one, other] = [await share({ provider: 'local' }), await share({ provider: 'local' })];
    other.wake(defaultGraph, defaultPerspectives);
    await one.release();
    const author = { actor: 'ann', tool: 'test' };
    await new Graph(scratch.store, defaultGraph).write(author, (tx) =>
      createNodesLenient(tx, [{ name: 'pet', type: 'thing', observations: ['the dog barked'] }]),
    );
    expect(await other.catchUp(defaultGraph, 20_000)).toBe(true);
    await other.release();
    expect(await other.catchUp(defaultGraph, 1)).toBe(true);
  });

  test('is none where there is no embedder, or no place for vectors', async () => {
    expect(await shareEmbedding(scratch.store, { provider: 'none' }, () => {})).toBeNull();
    const file = await scratchStore(jsonl);
    expect(await shareEmbedding(file.store, { provider: 'local' }, () => {})).toBeNull();
    await file.dispose();
  });
});
