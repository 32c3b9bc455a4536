import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { undo } from '../../src/engine/history/undo.js';
import { addObservationsStrict } from '../../src/engine/write/add-observations-strict.js';
import { deleteNodes } from '../../src/engine/write/delete-nodes.js';
import { deleteObservations } from '../../src/engine/write/delete-observations.js';
import { runIngest } from '../../src/ingest/run-ingest.js';
import { systemClock } from '../../src/model/clock.js';
import { defaultGraph } from '../../src/model/graph-record.js';
import type { Json } from '../../src/model/json.js';
import { executeQuery } from '../../src/query/execute-query.js';
import { applyGraphSchema } from '../../src/schema/apply/apply-graph-schema.js';
import { type Embedder, shortenVector } from '../../src/search/embedders/embedder.js';
import { localEmbedder } from '../../src/search/embedders/local-embedder.js';
import { openEmbedder } from '../../src/search/embedders/open-embedder.js';
import { PropertyEmbedder } from '../../src/search/embedding/properties/property-embedder.js';
import { textEmbedder } from '../../src/surfaces/graph/text-embedder.js';
import { modelServer } from '../helpers/model-server.js';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';

const author = { actor: 'ann', tool: 'test' };
const schemaOf = (vector: string) => `
node Recipe { slug: String @key  note: String?  title: String?  taste: ${vector} @embed("note") }
node Cook { email: String @key }
`;
const schema = schemaOf('Vector(100)');

describe.each(databaseKinds)('vectors of texts on $kind', (kind) => {
  let scratch: Scratch;
  let graph: Graph;
  const open: PropertyEmbedder[] = [];
  const told: string[] = [];

  beforeEach(async () => {
    scratch = await scratchStore(kind);
    graph = new Graph(scratch.store, defaultGraph);
    told.splice(0);
  });
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
    await scratch.dispose();
  });

  const apply = (source: string) =>
    applyGraphSchema({ commit: (work) => graph.commit(author, work) }, { source, allowDataLoss: true });
  const load = (lines: readonly object[], on = graph) =>
    runIngest(
      { commit: (work) => on.commit(author, work) },
      [Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'))],
      { mode: 'merge', maxBytes: 1_000_000 },
    );
  const recipe = (slug: string, data: object) => ({ type: 'Recipe', data: { slug, ...data } });
  const background = (embedder: Embedder | null = localEmbedder) => {
    const one = new PropertyEmbedder({
      ...{ store: scratch.store, embedder: async () => embedder, report: (problem) => told.push(problem) },
      ...{ pauseMs: 1, retryMs: 10 },
    });
    open.push(one);
    return one;
  };
  const settle = async (one: PropertyEmbedder) => {
    one.wake(graph);
    await one.idle();
  };
  const tasteOf = async (slug: string, on = graph): Promise<Json | undefined> => {
    const [node] = await on.read((reader) => reader.nodesNamed([slug]));
    return node?.props['taste'];
  };
  const made = async (text: string) => {
    const [vector] = await localEmbedder.embed([text], 'document', { name: 'general', instruction: '' });
    return Array.from(shortenVector(vector ?? new Float32Array(), 100), (value) => expect.closeTo(value, 5));
  };
  test('a property that names a model is filled and compared by that model only', async () => {
    const named = (model: string) =>
      schemaOf('Vector(100)').replace('@embed("note")', `@embed("note", model="${model}")`);
    await apply(named('another'));
    await load([recipe('soup', { note: 'warm soup' })]);
    await settle(background());
    expect(await tasteOf('soup')).toBeUndefined();
    expect(told.join()).toContain(
      'Recipe.taste stays empty: its model is another, but the embedder is local:',
    );
    const text =
      'query q() { match { $r: Recipe } return { $r.slug } order { nearest($r.taste, "soup") } limit 1 }';
    const ask = () =>
      executeQuery(
        graph,
        { source: { text } },
        { clock: systemClock, embed: textEmbedder({ provider: 'local' }) },
      );
    await expect(ask()).rejects.toThrow(
      'The vectors come from the model another, but the configured embedder is local:',
    );
    await apply(named(localEmbedder.id.replace('local:', '')));
    await settle(background());
    expect(await tasteOf('soup')).toEqual(await made('warm soup'));
    expect((await ask()).rows).toEqual([['soup']]);
  });

  const heads = async () =>
    (await scratch.store.branches(defaultGraph)).map(({ headCommit }) => headCommit).join();
  const commits = async () => scratch.store.commits({ graph: defaultGraph }, { limit: 100 });

  test('a required vector may be missing, and is filled from its text in a commit of its own', async () => {
    await apply(schema);
    await load([recipe('soup', { note: 'a hot soup of beans' }), recipe('plain', {})]);
    expect(await tasteOf('soup')).toBeUndefined();
    await settle(background());
    expect(await tasteOf('soup')).toEqual(await made('a hot soup of beans'));
    expect(await tasteOf('plain')).toBeUndefined();
    const [newest] = await commits();
    expect(newest).toMatchObject({ actor: 'trellis', tool: 'embed', counts: { nodesUpdated: 1 } });
  });

  test('filling is at rest once everything is filled, and later rounds make no commit', async () => {
    await apply(schema);
    await load([recipe('soup', { note: 'beans' })]);
    const one = background();
    await settle(one);
    const after = await heads();
    await settle(one);
    await settle(one);
    await settle(background());
    expect(await heads()).toBe(after);
  });

  test('a new text takes the old vector away in the same commit, through whichever tool', async () => {
    await apply(schema);
    const one = background();
    await load([recipe('soup', { note: 'beans' }), recipe('cake', { note: 'sugar' })]);
    await settle(one);
    await load([recipe('soup', { note: 'lentils' })]);
    expect(await tasteOf('soup')).toBeUndefined();
    await graph.write(author, (tx) => deleteObservations(tx, [{ name: 'cake', texts: ['note: sugar'] }]));
    expect(await tasteOf('cake')).toBeUndefined();
    await settle(one);
    expect(await tasteOf('soup')).toEqual(await made('lentils'));
    expect(await tasteOf('cake')).toBeUndefined();
  });

  test('a vector stays when something else is written', async () => {
    await apply(schema);
    await load([recipe('soup', { note: 'beans' })]);
    await settle(background());
    const before = await tasteOf('soup');
    await load([recipe('soup', { title: 'Soup' })]);
    await graph.write(author, (tx) => addObservationsStrict(tx, [{ name: 'soup', texts: ['it is good'] }]));
    expect(await tasteOf('soup')).toEqual(before);
  });

  test('a vector that is given is kept', async () => {
    await apply(schemaOf('Vector(3)?'));
    const { url } = await modelServer((inputs, response) =>
      response.end(JSON.stringify({ embeddings: inputs.map(() => [1, 0, 0]) })),
    );
    await load([recipe('soup', { note: 'beans', taste: [1, 2, 3] })]);
    await load([recipe('soup', { note: 'lentils', taste: [3, 2, 1] })]);
    await settle(background(await openEmbedder({ provider: 'ollama', url })));
    expect(await tasteOf('soup')).toEqual([3, 2, 1]);
  });

  test('a model server of the right size fills the example of the language', async () => {
    const { url, asked } = await modelServer((inputs, response) =>
      response.end(JSON.stringify({ embeddings: inputs.map((text) => [text.length, 0, 0]) })),
    );
    await apply(schemaOf('Vector(3)?'));
    await load([recipe('soup', { note: 'beans' }), recipe('blank', { note: '   ' })]);
    await settle(background(await openEmbedder({ provider: 'ollama', url, model: 'plain' })));
    expect(await tasteOf('soup')).toEqual([1, 0, 0]);
    expect(asked.flat().some((text) => text.includes('beans'))).toBe(true);
    expect(await tasteOf('blank')).toBeUndefined();
  });

  test('a text that changes while it is embedded does not get the vector of the old one', async () => {
    await apply(schema);
    await load([recipe('soup', { note: 'beans' })]);
    let meanwhile: Promise<unknown> | undefined;
    const slow: Embedder = {
      ...localEmbedder,
      async embed(texts, ...rest) {
        meanwhile ??= load([recipe('soup', { note: 'lentils' })]);
        await meanwhile;
        return localEmbedder.embed(texts, ...rest);
      },
    };
    const one = background(slow);
    await settle(one);
    expect(await tasteOf('soup')).toBeUndefined();
    await settle(one);
    expect(await tasteOf('soup')).toEqual(await made('lentils'));
  });

  test('an embedder that fails is tried again, and what it made is not lost', async () => {
    await apply(schema);
    await load(['a', 'b', 'c'].map((slug) => recipe(slug, { note: `note ${slug}` })));
    let calls = 0;
    const shaky: Embedder = {
      ...localEmbedder,
      batchSize: 1,
      async embed(...args) {
        calls += 1;
        if (calls === 2) throw new Error('it is down');
        return localEmbedder.embed(...args);
      },
    };
    await settle(background(shaky));
    expect(told).toEqual(['Embedding is delayed: it is down']);
    for (const slug of ['a', 'b', 'c']) expect(await tasteOf(slug)).toEqual(await made(`note ${slug}`));
    expect(calls).toBe(4);
  });

  test('more nodes than are looked at together are all filled, whatever they are called', async () => {
    await apply(schema);
    const letters = ['a', 'B', 'é', 'ß', '_', '😀', '"', '日'];
    const slugs = Array.from({ length: 1_100 }, (_, at) => `${letters[at % letters.length]}${at}`);
    await load(slugs.map((slug) => recipe(slug, { note: 'beans' })));
    await settle(background());
    const nodes = await graph.read((reader) => reader.nodesNamed(slugs));
    expect(nodes.filter(({ props }) => Array.isArray(props['taste']))).toHaveLength(1_100);
  });

  test('each branch is filled where its nodes are', async () => {
    await apply(schema);
    const one = background();
    await settle(one);
    await scratch.store.createBranch(defaultGraph, 'trial');
    const trial = graph.withBranch('trial');
    await load([recipe('soup', { note: 'beans' })], trial);
    await settle(one);
    expect(await tasteOf('soup', trial)).toEqual(await made('beans'));
    expect(await tasteOf('soup')).toBeUndefined();
    const report = await graph.history(author).merge({ source: 'trial' });
    expect(report.outcome).toBe('fast_forward');
    expect(await tasteOf('soup')).toEqual(await made('beans'));
  });

  test('a merge takes the vector of the text it takes, and none comes into conflict', async () => {
    await apply(schema);
    await load([recipe('soup', { note: 'beans' })]);
    await scratch.store.createBranch(defaultGraph, 'trial');
    const trial = graph.withBranch('trial');
    // Both get the vector of the old text, and then main another text.
    const one = background();
    await settle(one);
    await load([recipe('soup', { note: 'lentils' })]);
    await load([recipe('soup', { title: 'Soup' })], trial);
    await graph.history(author).merge({ source: 'trial' });
    expect(await tasteOf('soup')).toBeUndefined();
    await settle(one);
    expect(await tasteOf('soup')).toEqual(await made('lentils'));
    await graph.history(author).merge({ source: 'main', target: 'trial' });
    expect(await tasteOf('soup', trial)).toEqual(await made('lentils'));
  });

  test('what was filled since does not stand in the way of an undo', async () => {
    await apply(schema);
    const one = background();
    const first = await load([recipe('soup', { note: 'beans' })]);
    await settle(one);
    const second = await load([recipe('soup', { note: 'lentils' })]);
    await settle(one);
    const take = (commit: string | null) =>
      undo(scratch.store, { graph: defaultGraph, commits: [commit ?? ''], author });
    const back = await take(second.commit?.id ?? null);
    expect(back.undone[0]?.left).toEqual([]);
    expect(await tasteOf('soup')).toEqual(await made('beans'));
    const gone = await take(first.commit?.id ?? null);
    expect(gone.undone[0]?.left).toEqual([]);
    expect(await graph.read((reader) => reader.nodesNamed(['soup']))).toEqual([]);
  });

  test('a vector longer than the model makes stays empty, and that is reported once', async () => {
    await apply(schemaOf('Vector(300)?'));
    await load([recipe('soup', { note: 'beans' })]);
    const one = background();
    await settle(one);
    await load([recipe('cake', { note: 'sugar' })]);
    await settle(one);
    expect(await tasteOf('soup')).toBeUndefined();
    expect(told).toHaveLength(1);
    expect(told[0]).toContain('Recipe.taste stays empty: it is a Vector(300)');
    expect(told[0]).toContain('makes vectors of up to 256 numbers. Make it a Vector(256)');
    const none = background(null);
    await settle(none);
    expect(told[1]).toContain('Recipe.taste stays empty because no embedder is configured.');
  });

  test.each([3, 255, 256])('local fills a Vector(%i)', async (dimension) => {
    await apply(schemaOf(`Vector(${dimension})?`));
    await load([recipe('soup', { note: 'a hot soup of beans' })]);
    await settle(background());
    const taste = await tasteOf('soup');
    expect(taste).toHaveLength(dimension);
    expect(Math.hypot(...(Array.isArray(taste) ? taste.map(Number) : []))).toBeCloseTo(1, 5);
    expect(told).toEqual([]);
  });

  describe('vectors of another model', () => {
    const other: Embedder = {
      ...localEmbedder,
      id: 'other',
      embed: async (...args) => (await localEmbedder.embed(...args)).map((vector) => vector.toReversed()),
    };
    const byHand = Array.from({ length: 100 }, (_, at) => (at === 0 ? 1 : 0));

    test('are made again on every branch; those written by hand stay', async () => {
      await apply(schema);
      await load([recipe('soup', { note: 'beans' }), recipe('cake', { note: 'sugar', taste: byHand })]);
      await settle(background(other));
      await scratch.store.createBranch(defaultGraph, 'trial');
      const trial = graph.withBranch('trial');
      await load([recipe('soup', { title: 'Soup' })], trial);
      expect(await tasteOf('soup')).not.toEqual(await made('beans'));
      await settle(background());
      for (const on of [graph, trial]) {
        expect(await tasteOf('soup', on)).toEqual(await made('beans'));
        expect(await tasteOf('cake', on)).toEqual(byHand);
      }
      const [newest] = await commits();
      expect(newest).toMatchObject({ actor: 'trellis', tool: 'embed', message: localEmbedder.id });
      const after = await heads();
      await settle(background());
      expect(await heads()).toBe(after);
    });

    test('are gone until the new model answers, so that no query compares with them', async () => {
      await apply(schema);
      await load([recipe('soup', { note: 'beans' })]);
      await settle(background(other));
      let tastes: Json | undefined = 'not asked';
      const one = background({
        ...localEmbedder,
        async embed(...args) {
          tastes = await tasteOf('soup');
          return localEmbedder.embed(...args);
        },
      });
      await settle(one);
      expect(tastes).toBeUndefined();
      expect(await tasteOf('soup')).toEqual(await made('beans'));
    });

    test('are known in a store from before commits named the model, and recorded once', async () => {
      await apply(schema);
      await load([recipe('soup', { note: 'beans' }), recipe('cake', { note: 'sugar' })]);
      const old = await graph.read((reader) => reader.nodesNamed(['soup']));
      await graph.write({ actor: 'trellis', tool: 'embed' }, ({ rows }) =>
        rows.putNodes(old.map((node) => ({ ...node, props: { ...node.props, taste: byHand } }))),
      );
      await load([recipe('soup', { title: 'Soup' })]);
      await settle(background());
      expect(await tasteOf('soup')).toEqual(await made('beans'));
      const models = await scratch.store.vectors?.propertyModels(defaultGraph);
      expect(models).toEqual(new Map([['Recipe.taste', localEmbedder.id]]));
      await scratch.store.vectors?.forget(defaultGraph);
      expect(await scratch.store.vectors?.propertyModels(defaultGraph)).toEqual(models);
    });

    test('are made again if an undo brings them back', async () => {
      await apply(schema);
      await load([recipe('soup', { note: 'beans' }), recipe('cake', { note: 'sugar' })]);
      await settle(background(other));
      const changed = await load([recipe('soup', { note: 'lentils' })]);
      const deleted = await graph.commit(author, (tx) => deleteNodes(tx, ['cake']));
      const one = background();
      await settle(one);
      for (const { commit } of [changed, deleted]) {
        await undo(scratch.store, { graph: defaultGraph, commits: [commit?.id ?? ''], author });
      }
      expect(await tasteOf('soup')).not.toEqual(await made('beans'));
      expect(await tasteOf('cake')).not.toEqual(await made('sugar'));
      await settle(one);
      expect(await tasteOf('soup')).toEqual(await made('beans'));
      expect(await tasteOf('cake')).toEqual(await made('sugar'));
      await load([recipe('cake', { taste: byHand })]);
      await settle(one);
      expect(await tasteOf('cake')).toEqual(byHand);
    });

    test('are left to the process that began last, and the other one says so once', async () => {
      await apply(schema);
      await load([recipe('soup', { note: 'beans' })]);
      const [first, second] = [background(other), background()];
      await settle(first);
      await settle(second);
      const after = await heads();
      await settle(first);
      await scratch.store.createBranch(defaultGraph, 'trial');
      await load([recipe('cake', { note: 'sugar' })]);
      await settle(first);
      expect(await tasteOf('cake')).toBeUndefined();
      expect(await tasteOf('soup')).toEqual(await made('beans'));
      expect(await heads()).not.toBe(after);
      await settle(second);
      expect(await tasteOf('cake')).toEqual(await made('sugar'));
      expect(told).toEqual([
        expect.stringContaining(
          'Recipe.taste of default is now filled with local:potion-base-8M-int8-1 by another',
        ),
      ]);
    });

    test('work that was interrupted keeps what the new model has made', async () => {
      await apply(schema);
      await load([recipe('soup', { note: 'beans' })]);
      await settle(background());
      const after = await heads();
      await scratch.store.vectors?.setPropertyModel(defaultGraph, 'Recipe.taste', 'other');
      await settle(background());
      expect(await heads()).toBe(after);
    });
  });

  test('a schema that gives a type its vector later has the rows filled that were there before', async () => {
    await apply('node Recipe { slug: String @key  note: String?  title: String? }');
    await load([recipe('soup', { note: 'beans', title: 'Soup' })]);
    const one = background();
    await settle(one);
    const { steps } = await apply(schema);
    expect(steps).toMatchObject([{ step: 'add_type' }, { step: 'add_property', supported: true }]);
    await settle(one);
    expect(await tasteOf('soup')).toEqual(await made('beans'));
  });

  test('a vector that is to be made of another text is made anew; a renamed text keeps it', async () => {
    await apply(schema);
    const one = background();
    await load([recipe('soup', { note: 'beans', title: 'Soup' })]);
    await settle(one);
    const before = await tasteOf('soup');
    await apply(
      schema
        .replace('note: String?', 'remark: String? @rename_from("note")')
        .replace('"note")  }', '"remark") }')
        .replace('@embed("note")', '@embed("remark")'),
    );
    expect(await tasteOf('soup')).toEqual(before);
    await apply(
      schema.replace('note: String?', 'remark: String?').replace('@embed("note")', '@embed("title")'),
    );
    expect(await tasteOf('soup')).toBeUndefined();
    await settle(one);
    expect(await tasteOf('soup')).toEqual(await made('Soup'));
  });
});
