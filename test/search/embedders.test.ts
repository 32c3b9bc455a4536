import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { localEmbedder } from '../../src/search/embedders/local-embedder.js';
import { openEmbedder } from '../../src/search/embedders/open-embedder.js';
import {
  ollamaProtocol,
  openaiProtocol,
  RemoteEmbedder,
  type RemoteEmbedderOptions,
} from '../../src/search/embedders/remote-embedder.js';
import { embeddingSpacesOf } from '../../src/search/embedding/embedding-spaces.js';
import { defaultPerspectives } from '../../src/search/perspectives.js';
import { embedQuery } from '../../src/search/semantic/query-embedding.js';
import { modelServer } from '../helpers/model-server.js';

const general = { name: 'general', instruction: '' };
const vectors = (inputs: readonly string[], size = 3) =>
  inputs.map((text) => [text.length, ...new Array<number>(Math.max(size - 1, 0)).fill(1)].slice(0, size));
const protocols = [
  {
    protocol: ollamaProtocol,
    path: '/api/embed',
    body: (inputs: readonly string[], size?: number) => ({ embeddings: vectors(inputs, size) }),
  },
  {
    protocol: openaiProtocol,
    path: '/v1/embeddings',
    // Out of order, as the protocol allows.
    body: (inputs: readonly string[], size?: number) => ({
      data: vectors(inputs, size)
        .map((embedding, index) => ({ index, embedding }))
        .reverse(),
    }),
  },
];

describe('the indexes of the openai protocol', () => {
  const vectorsWith = (...indexes: (number | undefined)[]) =>
    openaiProtocol.vectors({ data: indexes.map((index, at) => ({ index, embedding: [at] })) });

  test('give the order; without them, or if all are 0, it is that of the response', () => {
    expect(vectorsWith(2, 0, 1)).toEqual([[1], [2], [0]]);
    expect(vectorsWith(undefined, undefined)).toEqual([[0], [1]]);
    expect(vectorsWith(0, 0, 0)).toEqual([[0], [1], [2]]);
  });

  test.each([[[0, 0, 1]], [[-1, 0, 1]], [[0, 2]], [[1, undefined]], [[0.5, 1]]])(
    '%j is refused',
    (indexes) => {
      expect(() => vectorsWith(...indexes)).toThrow('not those of the texts');
    },
  );
});

describe.each(protocols)('$protocol.name', ({ protocol, path, body }) => {
  const quick = { model: 'plain', retries: 1, backOffMs: 1, timeoutMs: 60_000 };
  const embedder = (url: string, more: Partial<RemoteEmbedderOptions> = {}) =>
    new RemoteEmbedder(protocol, { ...quick, url, ...more });
  const json = (response: ServerResponse, value: unknown) => response.end(JSON.stringify(value));

  test('texts go out in batches and come back as vectors of length 1, in order', async () => {
    const { url, asked, paths } = await modelServer((inputs, response) => json(response, body(inputs)));
    const texts = ['a', 'bb', 'ccc', 'dddd', 'eeeee'];
    const made = await embedder(url, { batchSize: 2 }).embed(texts, 'document', general);
    expect(asked).toEqual([['a', 'bb'], ['ccc', 'dddd'], ['eeeee']]);
    expect(new Set(paths)).toEqual(new Set([path]));
    for (const [at, vector] of made.entries()) {
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
      expect((vector[0] ?? 0) / (vector[1] ?? 1)).toBeCloseTo(at + 1, 4);
    }
  });

  test.each(['', '/', '/v1', '/v1/'])('trust 25: its url may end with %j', async (ending) => {
    const { url, paths } = await modelServer((inputs, response) => json(response, body(inputs)));
    await embedder(`${url}${ending}`).embed(['a'], 'document', general);
    expect(paths).toEqual([path]);
  });

  test('a model that wants task prefixes gets them, and the instruction of the perspective', async () => {
    const { url, asked } = await modelServer((inputs, response) => json(response, body(inputs)));
    const nomic = embedder(url, { model: 'nomic-embed-text' });
    const told = { name: 'temporal', instruction: 'When' };
    await nomic.embed(['noon'], 'document', told);
    await nomic.embed(['lunch'], 'query', told);
    expect(asked).toEqual([['search_document: When: noon'], ['search_query: When: lunch']]);
  });

  test('a model without task prefixes gets the text alone, once for all perspectives', async () => {
    const { url, asked } = await modelServer((inputs, response) => json(response, body(inputs)));
    const plain = embedder(url, { model: 'all-minilm' });
    await plain.embed(['noon'], 'document', { name: 'temporal', instruction: 'When' });
    expect(asked).toEqual([['noon']]);
    expect(await embeddingSpacesOf({ embedder: plain, perspectives: defaultPerspectives })).toHaveLength(1);
    const nomic = embedder(url, { model: 'nomic-embed-text' });
    expect(await embeddingSpacesOf({ embedder: nomic, perspectives: defaultPerspectives })).toHaveLength(5);
  });

  test('a model that takes instructions gets them with queries, and documents as they are', async () => {
    const { url, asked } = await modelServer((inputs, response) => json(response, body(inputs)));
    const qwen = embedder(url, { model: 'qwen3-embedding:0.6b' });
    await qwen.embed(['noon'], 'document', { name: 'temporal', instruction: 'When' });
    const perspectives = [
      { name: 'temporal', instruction: 'When' },
      { name: 'spatial', instruction: 'Where' },
    ];
    expect(await embeddingSpacesOf({ embedder: qwen, perspectives })).toHaveLength(1);
    const query = await embedQuery({ embedder: qwen, perspectives }, 'lunch');
    expect(asked).toEqual([['noon'], ['Instruct: When\nQuery: lunch'], ['Instruct: Where\nQuery: lunch']]);
    expect(query.known && query.vectors.map(({ perspective }) => perspective)).toEqual([
      'temporal',
      'spatial',
    ]);
  });

  test('the key is sent, and never told in an error', async () => {
    const { url } = await modelServer((_inputs, response, incoming) => {
      response.statusCode = incoming.headers.authorization === 'Bearer s3cret' ? 403 : 500;
      response.end('no');
    });
    const failure = embedder(url, { apiKey: 's3cret' }).embed(['a'], 'query', general);
    await expect(failure).rejects.toMatchObject({ code: 'EMBEDDER_UNAVAILABLE' });
    await expect(failure).rejects.toThrow('answered 403: no.');
    await expect(failure).rejects.not.toThrow('s3cret');
  });

  test('a failure of the server is tried again; one of ours is not', async () => {
    let calls = 0;
    const { url } = await modelServer((inputs, response) => {
      calls += 1;
      if (calls === 1) response.statusCode = 503;
      json(response, calls === 1 ? {} : body(inputs));
    });
    expect(await embedder(url).embed(['a'], 'query', general)).toHaveLength(1);
    expect(calls).toBe(2);
    const refusing = await modelServer((_inputs, response) => {
      response.statusCode = 404;
      response.end('model not found');
    });
    await expect(embedder(refusing.url).embed(['a'], 'query', general)).rejects.toThrow('model not found');
    expect(refusing.asked).toHaveLength(1);
  });

  test('a server that does not answer in time, or is not there, is a clear error', async () => {
    const { url } = await modelServer(() => {});
    const slow = embedder(url, { timeoutMs: 50, retries: 0 });
    await expect(slow.embed(['a'], 'query', general)).rejects.toMatchObject({ code: 'EMBEDDER_UNAVAILABLE' });
    const nowhere = embedder('http://127.0.0.1:1', { retries: 0 });
    await expect(nowhere.embed(['a'], 'query', general)).rejects.toThrow('cannot be reached');
  });

  test('vectors of another dimension, too few of them, or none at all are refused', async () => {
    let size = 3;
    const { url } = await modelServer((inputs, response) => json(response, body(inputs, size)));
    const changing = embedder(url);
    expect(await changing.dimension()).toBe(3);
    size = 4;
    await expect(changing.embed(['a'], 'query', general)).rejects.toThrow('a vector of 4 numbers');
    const few = await modelServer((inputs, response) => json(response, body(inputs.slice(1))));
    await expect(embedder(few.url).embed(['a', 'b'], 'query', general)).rejects.toThrow('1 vectors');
    const empty = await modelServer((inputs, response) => json(response, body(inputs, 0)));
    await expect(embedder(empty.url).embed(['a'], 'query', general)).rejects.toThrow(
      /returned an empty vector\.$/,
    );
    const none = await modelServer((_inputs, response) => json(response, body([])));
    await expect(embedder(none.url).embed(['a'], 'query', general)).rejects.toThrow(
      /returned 0 vectors; expected 1\.$/,
    );
    const page = await modelServer((_inputs, response) => response.end('<html>'));
    await expect(embedder(page.url).embed(['a'], 'query', general)).rejects.toThrow('did not return vectors');
  });

  test('after failures in a row the server is left alone for a while, and then asked again', async () => {
    let works = false;
    let now = 0;
    const { url, asked } = await modelServer((inputs, response) => {
      if (!works) response.statusCode = 500;
      json(response, works ? body(inputs) : {});
    });
    const breaker = { failures: 2, cooldownMs: 1_000, now: () => now };
    const one = embedder(url, { retries: 0, breaker });
    const ask = () => one.embed(['a'], 'query', general);
    await expect(ask()).rejects.toThrow('500');
    await expect(ask()).rejects.toThrow('500');
    await expect(ask()).rejects.toThrow('will retry shortly');
    expect(asked).toHaveLength(2);
    works = true;
    now = 1_001;
    expect(await ask()).toHaveLength(1);
  });
});

describe('local', () => {
  const embed = async (...texts: string[]) => localEmbedder.embed(texts, 'document', general);
  const cosine = (a: Float32Array | undefined, b: Float32Array | undefined) =>
    (a ?? new Float32Array()).reduce((sum, value, axis) => sum + value * (b?.[axis] ?? 0), 0);

  test('texts about the same thing are nearer than others', async () => {
    const [dog, puppy, loan] = await embed('a dog barked', 'the puppies whined', 'interest on a bank loan');
    expect(cosine(dog, puppy)).toBeGreaterThan(cosine(dog, loan) + 0.2);
  });

  test('words that are not in the vocabulary are found by their pieces', async () => {
    const [name, again, other] = await embed('Xqzlorp', 'xqzlorp', 'Vrbtqual');
    expect(cosine(name, again)).toBeCloseTo(1, 5);
    expect(Math.abs(cosine(name, other))).toBeLessThan(0.5);
  });

  test('a text without known pieces is near to nothing', async () => {
    const [nothing, dog] = await embed(' 🎉 ', 'dog');
    expect(cosine(nothing, dog)).toBe(0);
  });
});

test('openai without a model or an address is refused, and none is none', async () => {
  await expect(openEmbedder({ provider: 'openai', model: 'm' })).rejects.toMatchObject({ code: 'USAGE' });
  expect(await openEmbedder({ provider: 'none' })).toBeNull();
});
