import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { createNodesLenient } from '../../src/engine/write/create-nodes-lenient.js';
import { defaultGraph } from '../../src/model/graph-record.js';
import { localEmbedder } from '../../src/search/embedders/local-embedder.js';
import { BackgroundEmbedder } from '../../src/search/embedding/background-embedder.js';
import { embedGraph } from '../../src/search/embedding/embed-graph.js';
import { embeddingCoverage } from '../../src/search/embedding/embedding-coverage.js';
import { resolveSpaces } from '../../src/search/embedding/embedding-spaces.js';
import { EmbeddingThread } from '../../src/search/embedding/thread/embedding-thread.js';
import { defaultPerspectives } from '../../src/search/perspectives.js';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';

const author = { actor: 'ann', tool: 'test' };
const model = { embedder: localEmbedder, perspectives: defaultPerspectives };

describe.each(databaseKinds)('a thread that embeds, on $kind', (kind) => {
  let scratch: Scratch;
  let graph: Graph;
  let thread: EmbeddingThread;
  beforeEach(async () => {
    scratch = await scratchStore(kind);
    graph = new Graph(scratch.store, defaultGraph);
    const source = scratch.store.vectors?.source;
    if (source === undefined) throw new Error('no thread can open the vectors');
    thread = new EmbeddingThread(source);
  });
  afterEach(async () => {
    await thread.close();
    await scratch.dispose();
  });

  const write = (name: string, texts: number) =>
    graph.write(author, (tx) =>
      createNodesLenient(tx, [
        {
          ...{ name, type: 'thing' },
          observations: Array.from({ length: texts }, (_, at) => `fact ${at} about ${name}`),
        },
      ]),
    );
  const coverage = async () => {
    const spaces = await resolveSpaces(model);
    return graph.read((reader) => embeddingCoverage(reader, spaces));
  };
  const vectors = () => {
    const { vectors } = scratch.store;
    if (vectors === null) throw new Error('no vectors');
    return vectors;
  };

  test('stores the vectors that this thread would make', async () => {
    await write('dog', 100);
    await thread.embed(defaultGraph, defaultPerspectives);
    expect(await coverage()).toBe(1);
    const spaces = await resolveSpaces(model);
    const [space] = spaces.known ? spaces.spaces : [];
    const text = 'fact 71 about dog';
    const [vector] = await localEmbedder.embed([text], 'document', { name: '', instruction: '' });
    if (space === undefined || vector === undefined) throw new Error('nothing embedded');
    const [nearest] = await graph.read((reader) => reader.nearTexts(space, vector, { limit: 1 }));
    expect(nearest).toMatchObject({ text, score: expect.closeTo(1, 5) });
  });

  test('keeps the process alive until it has ended, so that a command that closes it goes on', async () => {
    await write('dog', 100);
    const child = fileURLToPath(new URL('close-child.js', import.meta.url));
    const { status, stdout } = spawnSync(
      process.execPath,
      [child, JSON.stringify(scratch.store.vectors?.source)],
      { encoding: 'utf8' },
    );
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'closed\n' });
  });

  test('gets what is too much for the thread of calls', async () => {
    const given: string[] = [];
    const background = new BackgroundEmbedder({
      ...{ store: scratch.store, embedder: localEmbedder },
      perspectivesOf: () => defaultPerspectives,
      thread: {
        embed: (name, perspectives) => {
          given.push(name);
          return thread.embed(name, perspectives);
        },
        close: () => thread.close(),
      },
    });
    await write('cat', 20);
    expect(await background.catchUp(defaultGraph, 20_000)).toBe(true);
    expect(given).toEqual([]);
    await write('dog', 500);
    expect(await background.catchUp(defaultGraph, 20_000)).toBe(true);
    expect(given).toEqual([defaultGraph]);
    expect(await coverage()).toBe(1);
    await background.close();
  });

  test('lets others write meanwhile', async () => {
    await write('dog', 2_000);
    const embedded = thread.embed(defaultGraph, defaultPerspectives);
    for (let at = 0; at < 30; at++) await write(`cat ${at}`, 1);
    await embedded;
    await embedGraph({ vectors: vectors(), graph: defaultGraph, ...model });
    expect(await coverage()).toBe(1);
    expect(await scratch.store.check()).toEqual([]);
  });

  test('ends between two batches when it is closed, and somebody else can go on', async () => {
    await write('dog', 2_000);
    const embedded = thread.embed(defaultGraph, defaultPerspectives);
    await thread.close();
    await embedded;
    const before = await coverage();
    await embedGraph({ vectors: vectors(), graph: defaultGraph, ...model });
    expect(await coverage()).toBe(1);
    expect(before).toBeLessThan(1);
    expect(await scratch.store.check()).toEqual([]);
  });

  test('reports why it could not, and does the next work', async () => {
    await expect(thread.embed('missing', defaultPerspectives)).rejects.toThrow('missing');
    await write('dog', 3);
    await thread.embed(defaultGraph, defaultPerspectives);
    expect(await coverage()).toBe(1);
  });
});
