import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { Graph } from '../../src/engine/graph.js';
import { createNodesLenient } from '../../src/engine/write/create-nodes-lenient.js';
import { defaultGraph } from '../../src/model/graph-record.js';
import { openGraphSearch, type SearchMode } from '../../src/search/graph-search.js';
import { HttpReranker } from '../../src/search/rerank/http-reranker.js';
import type { RerankSettings } from '../../src/search/rerank/rerank-settings.js';
import type { PreparedSearch, SearchRequest } from '../../src/search/search-hits.js';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';

const requestShape = z.object({
  model: z.string().optional(),
  query: z.string(),
  documents: z.array(z.string()).optional(),
  texts: z.array(z.string()).optional(),
  top_n: z.number().optional(),
});
type RerankRequest = z.output<typeof requestShape>;
type Respond = (request: RerankRequest, response: ServerResponse, incoming: IncomingMessage) => void;

/** A real server on this machine, which behaves as the test says until the test is over. */
async function rerankServer(respond: Respond) {
  const requests: RerankRequest[] = [];
  const paths: string[] = [];
  const server = createServer(async (incoming, response) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part);
    const request = requestShape.parse(JSON.parse(Buffer.concat(parts).toString()));
    requests.push(request);
    paths.push(incoming.url ?? '');
    respond(request, response, incoming);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { url: `http://127.0.0.1:${address.port}`, requests, paths };
}

const send = (response: ServerResponse, body: unknown) => response.end(JSON.stringify(body));

/** The shorter, the better: an order that no search gives. */
const byLength: Respond = ({ documents = [] }, response) =>
  send(response, {
    results: documents.map(({ length }, index) => ({ index, relevance_score: -length })),
  });

describe('what a reranker is asked and believed', () => {
  const texts = ['a long text about trains', 'trains', 'late trains'];

  test('with a model, in the form of Cohere, Jina, vLLM and llama.cpp', async () => {
    const { url, requests, paths } = await rerankServer(byLength);
    const reranker = new HttpReranker({ url, model: 'm' });
    expect(await reranker.score('trains', texts)).toEqual({ known: true, scores: [-24, -6, -11] });
    expect(requests).toEqual([{ model: 'm', query: 'trains', documents: texts, top_n: 3 }]);
    expect(paths).toEqual(['/v1/rerank']);
  });

  test('without a model, in the form of Text Embeddings Inference', async () => {
    const { url, requests, paths } = await rerankServer((_, response) =>
      send(response, [
        { index: 2, score: 0.9 },
        { index: 0, score: 0.1 },
      ]),
    );
    expect(await new HttpReranker({ url }).score('trains', texts)).toEqual({
      ...{ known: true, scores: [0.1, undefined, 0.9] },
    });
    expect(requests).toEqual([{ query: 'trains', texts }]);
    expect(paths).toEqual(['/rerank']);
  });

  test('with its key, and with long texts cut', async () => {
    let authorization: string | undefined;
    const { url, requests } = await rerankServer((request, response, incoming) => {
      authorization = incoming.headers.authorization;
      byLength(request, response, incoming);
    });
    await new HttpReranker({ url, model: 'm', apiKey: 'secret' }).score('x', ['y'.repeat(10_000)]);
    expect(authorization).toBe('Bearer secret');
    expect(requests[0]?.documents?.[0]).toHaveLength(4_000);
  });

  test.each<[string, Respond]>([
    ['an index that is too high', (_, response) => send(response, [{ index: 3, score: 1 }])],
    ['a negative index', (_, response) => send(response, [{ index: -1, score: 1 }])],
    ['half an index', (_, response) => send(response, [{ index: 0.5, score: 1 }])],
    [
      'an index twice',
      (_, response) =>
        send(response, [
          { index: 0, score: 1 },
          { index: 0, score: 2 },
        ]),
    ],
    ['a score that is no number', (_, response) => response.end('[{"index": 0, "score": NaN}]')],
    ['an infinite score', (_, response) => response.end('[{"index": 0, "score": 1e999}]')],
    ['a score as text', (_, response) => send(response, [{ index: 0, score: '1' }])],
    ['something else', (_, response) => send(response, { ok: true })],
    ['no JSON', (_, response) => response.end('<html>')],
    ['more than a megabyte', (_, response) => response.end(' '.repeat(2_000_000))],
    ['an error', (_, response) => response.writeHead(500).end()],
    ['a redirect', (_, response) => response.writeHead(307, { location: '/elsewhere' }).end()],
    ['nothing', (_, response) => response.destroy()],
  ])('%s is refused as a whole', async (_, respond) => {
    const { url, paths } = await rerankServer(respond);
    const scores = await new HttpReranker({ url }).score('trains', texts);
    expect(scores).toMatchObject({
      known: false,
      reason: { publicMessage: expect.stringContaining('not reranked') },
    });
    expect(paths).toEqual(['/rerank']);
    expect(scores.known ? '' : scores.reason.publicMessage).not.toContain('127.0.0.1');
  });

  test('a server that never answers is given up after its time', async () => {
    const { url } = await rerankServer(() => {});
    expect(await new HttpReranker({ url, timeoutMs: 50 }).score('trains', texts)).toMatchObject({
      known: false,
    });
  });

  test('after three failures in a row it is left alone for a while', async () => {
    let time = 0;
    const { url, requests } = await rerankServer((_, response) => response.writeHead(500).end());
    const reranker = new HttpReranker({ url, breaker: { now: () => time } });
    for (let call = 0; call < 5; call++) await reranker.score('trains', texts);
    expect(requests).toHaveLength(3);
    time = 30_000;
    await reranker.score('trains', texts);
    expect(requests).toHaveLength(4);
  });
});

describe.each(databaseKinds)('a search with a reranker on $kind', (kind) => {
  let scratch: Scratch;
  let graph: Graph;
  beforeEach(async () => {
    scratch = await scratchStore(kind);
    graph = new Graph(scratch.store, defaultGraph);
    await graph.write({ actor: 'ann', tool: 'test' }, (tx) =>
      createNodesLenient(tx, [
        { name: 'North', type: 'line', observations: ['the train to the north leaves early in the morning'] },
        { name: 'South', type: 'line', observations: ['a train', 'a train to the south on Sundays'] },
        { name: 'West', type: 'line', observations: ['the train to the west'] },
        { name: 'Bread', type: 'food', observations: ['flour, water and salt'] },
      ]),
    );
  });
  afterEach(() => scratch.dispose());

  async function search(rerank: RerankSettings, mode: SearchMode, request: SearchRequest) {
    const opened = await openGraphSearch({
      ...{ store: scratch.store, graph, settings: { rerank }, warn: () => {} },
    });
    const { cursor: _, ...scope } = request;
    const read = (find: PreparedSearch, page: SearchRequest) => graph.read((reader) => find(reader, page));
    try {
      const find = await opened.find('train', mode, (candidates, limit) =>
        read(candidates, { ...scope, limit }),
      );
      return await read(find, request);
    } finally {
      await opened.close();
    }
  }
  const textsOf = ({ hits }: Awaited<ReturnType<typeof search>>) => hits.map(({ text }) => text);

  test.each<SearchMode>(['text', 'embedding', 'hybrid'])('in mode %s has its order', async (mode) => {
    const { url, requests } = await rerankServer(byLength);
    const found = await search({ provider: 'http', url, model: 'm' }, mode, { types: ['line'], limit: 3 });
    const documents = requests[0]?.documents ?? [];
    expect(textsOf(found)).toEqual([...documents].sort((a, b) => a.length - b.length).slice(0, 3));
    expect(found.hits[0]?.score).toBe(-(found.hits[0]?.text.length ?? 0));
    expect(requests).toHaveLength(1);
    expect(found).not.toHaveProperty('notReranked');
  });

  test('orders nodes by their best text, and pages go on in that order', async () => {
    const { url } = await rerankServer(byLength);
    const settings = { provider: 'http', url, model: 'm' } as const;
    const whole = await search(settings, 'text', { perNode: true });
    expect(whole.hits.map(({ node }) => node.name).sort()).toEqual(['North', 'South', 'West']);
    expect(textsOf(whole)).toEqual(textsOf(whole).sort((a, b) => a.length - b.length));
    const { nextCursor, hits } = await search(settings, 'text', { perNode: true, limit: 2 });
    const rest = await search(settings, 'text', { perNode: true, limit: 2, cursor: nextCursor });
    expect([...hits, ...rest.hits]).toEqual(whole.hits);
  });

  test('what lies below the candidates keeps its order and follows', async () => {
    const { url, requests } = await rerankServer(byLength);
    const plain = await search({ provider: 'none' }, 'text', {});
    const found = await search({ provider: 'http', url, model: 'm', candidates: 2 }, 'text', {});
    expect(requests[0]?.documents).toEqual(textsOf(plain).slice(0, 2));
    expect(textsOf(found).slice(2)).toEqual(textsOf(plain).slice(2));
  });

  test('that fails leaves the order of the search, and says so', async () => {
    const { url } = await rerankServer((_, response) => response.writeHead(503).end());
    const plain = await search({ provider: 'none' }, 'text', {});
    const { notReranked, ...found } = await search({ provider: 'http', url }, 'text', {});
    expect(found).toEqual(plain);
    expect(notReranked).toMatchObject({
      message: expect.stringContaining('it returned status 503'),
      publicMessage: expect.not.stringContaining(url),
    });
  });
});
