import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { createNodesLenient } from '../../src/engine/write/create-nodes-lenient.js';
import { needsMaintenance } from '../../src/search/similar/maintain-similar-nodes.js';
import { modelServer } from '../helpers/model-server.js';
import { scratchStore, sqlite } from '../helpers/stores.js';
import { useSandbox } from './run-cli.js';

const sandbox = useSandbox();

test('trellis embed embeds what has no vector yet, and with --again everything', async () => {
  const scratch = await scratchStore(sqlite);
  try {
    await new Graph(scratch.store, 'default').write({ actor: 'ann', tool: 'test' }, (tx) =>
      createNodesLenient(tx, [{ name: 'pet', type: 'animal', observations: ['the dog barked', 'it slept'] }]),
    );
    await scratch.store.close();
    const embed = (...more: string[]) => sandbox.run(['embed', '--store', scratch.path, ...more]);
    expect((await embed('--graph', 'default')).stdout).toBe('Embedded default: 3 texts.\n');
    expect((await embed()).stdout).toBe('Embedded default: 0 texts.\n');
    expect(JSON.parse((await embed('--again', '--json')).stdout)).toMatchObject({
      model: 'local:potion-base-8M-int8-1',
      graphs: [{ name: 'default', embedded: 3 }],
    });
    expect((await embed('--graph', 'nope')).code).toBe(1);
  } finally {
    await scratch.dispose();
  }
});

test('trellis embed finds similar nodes in advance, which serve the next process', async () => {
  const scratch = await scratchStore(sqlite);
  try {
    const facts = Array.from({ length: 2_100 }, (_, at) => ({
      ...{ name: `n${at}`, type: 'thing', observations: [`the number ${at}`] },
    }));
    await new Graph(scratch.store, 'default').write({ actor: 'ann', tool: 'test' }, (tx) =>
      createNodesLenient(tx, facts),
    );
    expect((await sandbox.run(['embed', '--store', scratch.path])).stdout).toBe(
      'Embedded default: 4200 texts.\n',
    );
    const spaces = (await scratch.store.vectors?.spaces('default')) ?? [];
    expect(spaces).toHaveLength(1);
    expect(await needsMaintenance({ store: scratch.store, graph: 'default', spaces })).toBe(false);
  } finally {
    await scratch.dispose();
  }
});

test('a perspective that changes is embedded anew, and gc drops one that is gone', async () => {
  const server = await modelServer((inputs, response) =>
    response.end(JSON.stringify({ embeddings: inputs.map((text) => [text.length, 1]) })),
  );
  const scratch = await scratchStore(sqlite);
  await new Graph(scratch.store, 'default').write({ actor: 'ann', tool: 'test' }, (tx) =>
    createNodesLenient(tx, [{ name: 'pet', type: 'animal', observations: ['the dog barked'] }]),
  );
  const config = async (...perspectives: string[]) => {
    const list = perspectives.map((name) => `{ name: ${name.split(' ')[0]}, instruction: ${name} }`);
    await writeFile(
      sandbox.path('models.yaml'),
      `embedding: { provider: ollama, model: nomic-embed-text, url: "${server.url}", perspectives: [${list.join(', ')}] }`,
    );
  };
  const run = (...command: string[]) =>
    sandbox.run([...command, '--store', scratch.path, '--config', sandbox.path('models.yaml')]);
  try {
    await config('taste', 'smell');
    expect((await run('embed')).stdout).toBe('Embedded default: 4 texts.\n');
    expect(server.asked.flat()).toContain('search_document: smell: the dog barked');
    await config('taste', 'smell again');
    expect((await run('embed')).stdout).toBe('Embedded default: 2 texts.\n');
    expect(server.asked.flat()).toContain('search_document: smell again: the dog barked');
    await config('taste');
    expect((await run('embed')).stdout).toBe('Embedded default: 0 texts.\n');
    const spaces = async () => ((await scratch.store.vectors?.spaces('default')) ?? []).length;
    expect(await spaces()).toBe(2);
    const collected = async (...more: string[]) =>
      JSON.parse((await run('gc', '--keep', '1d', '--json', ...more)).stdout).graphs[0].perspectives;
    expect(await collected('--dry-run')).toBe(1);
    expect(await spaces()).toBe(2);
    expect((await run('gc', '--keep', '1d')).stdout).toContain('Vectors: deleted those of 1 perspective.');
    expect(await spaces()).toBe(1);
    expect(await collected()).toBe(0);
  } finally {
    await scratch.dispose();
  }
});

test('trellis embed fills the vectors of a schema on every branch, and says which it cannot', async () => {
  const scratch = await scratchStore(sqlite);
  const schema = (size: number) =>
    `node Recipe { slug: String @key note: String? taste: Vector(${size})? @embed("note") }`;
  const run = (...command: string[]) => sandbox.run([...command, '--store', scratch.path]);
  try {
    await scratch.store.close();
    await writeFile(sandbox.path('recipes.pg'), schema(100));
    await writeFile(sandbox.path('rows.ndjson'), '{"type":"Recipe","data":{"slug":"soup","note":"beans"}}');
    expect((await run('schema', 'apply', sandbox.path('recipes.pg'))).stdout).not.toContain('warning');
    await run('ingest', sandbox.path('rows.ndjson'));
    await run('branch', 'create', 'trial');
    expect((await run('embed')).stdout).toContain('2 vectors of the schema.');
    expect((await run('embed')).stdout).toBe('Embedded default: 0 texts.\n');
    const again = JSON.parse((await run('embed', '--again', '--json')).stdout);
    expect(again.graphs).toMatchObject([{ name: 'default', vectors: 2 }]);
    expect((await run('log')).stdout).toContain('trellis  embed  (~1 node)');
    const server = await modelServer((inputs, response) =>
      response.end(JSON.stringify({ embeddings: inputs.map(() => Array.from({ length: 100 }, () => 1)) })),
    );
    const other = { TRELLIS_EMBEDDING_PROVIDER: 'ollama', TRELLIS_EMBEDDING_URL: server.url };
    expect((await sandbox.run(['doctor', '--store', scratch.path], other)).stdout).toContain(
      'warning: Graph default: Recipe.taste has vectors of local:potion-base-8M-int8-1, but the embedder here is ollama:nomic-embed-text',
    );
    expect((await run('doctor')).stdout).not.toContain('has vectors of');
    await writeFile(sandbox.path('recipes.pg'), schema(300));
    const misfit = 'Recipe.taste stays empty: it is a Vector(300)';
    expect((await run('schema', 'plan', sandbox.path('recipes.pg'))).stdout).toContain(misfit);
    await run('graph', 'create', 'other');
    await run('schema', 'apply', sandbox.path('recipes.pg'), '--graph', 'other');
    expect((await run('doctor')).stdout).toContain(`warning: Graph other: ${misfit}`);
    expect((await run('embed', '--graph', 'other')).stderr).toContain(misfit);
  } finally {
    await scratch.dispose();
  }
});

test('trellis doctor warns of text vectors of several models, and of those of another model', async () => {
  const scratch = await scratchStore(sqlite);
  const server = await modelServer((inputs, response) =>
    response.end(JSON.stringify({ embeddings: inputs.map((text) => [text.length, 1]) })),
  );
  const other = { TRELLIS_EMBEDDING_PROVIDER: 'ollama', TRELLIS_EMBEDDING_URL: server.url };
  const doctor = async (environment = {}) =>
    (await sandbox.run(['doctor', '--store', scratch.path], environment)).stdout;
  try {
    await new Graph(scratch.store, 'default').write({ actor: 'ann', tool: 'test' }, (tx) =>
      createNodesLenient(tx, [{ name: 'pet', type: 'animal', observations: ['the dog barked'] }]),
    );
    expect(await doctor()).not.toContain('have vectors of');
    await sandbox.run(['embed', '--store', scratch.path]);
    expect(await doctor()).not.toContain('have vectors of');
    expect(await doctor(other)).toContain(
      'warning: Graph default: its texts have vectors of local:potion-base-8M-int8-1, but the embedder here is ollama:nomic-embed-text',
    );
    const space = { model: 'ollama:nomic-embed-text', perspective: '', dimension: 2 };
    const pending = (await scratch.store.vectors?.pending('default', space, 1)) ?? [];
    const vectors = pending.map(({ document }) => ({ document, vector: new Float32Array([0, 1]) }));
    await scratch.store.vectors?.put('default', space, vectors);
    expect(await doctor()).toContain(
      'warning: Graph default: its texts have vectors of several models: local:potion-base-8M-int8-1, ollama:nomic-embed-text.',
    );
    await sandbox.run(['embed', '--store', scratch.path, '--again', '--graph', 'default']);
    expect(await doctor()).not.toContain('have vectors of');
  } finally {
    await scratch.dispose();
  }
});

test('trust 38: a graph that is not there is named with those that are', async () => {
  for (const name of ['notes', 'work']) await sandbox.run(['graph', 'create', name, '--store', 'a.db']);
  const { code, stderr } = await sandbox.run(['embed', '--store', 'a.db', '--graph', 'note']);
  expect(code).toBe(1);
  expect(stderr).toContain('It has: notes, work. Did you mean "notes"?');
  expect(stderr).toContain('Name another with --graph');
});

test('--workspace, the old name of --graph, still works and says so', async () => {
  for (const name of ['notes', 'work']) await sandbox.run(['graph', 'create', name, '--store', 'a.db']);
  const embedded = await sandbox.run(['embed', '--store', 'a.db', '--workspace', 'notes']);
  expect(embedded).toMatchObject({ code: 0, stdout: 'Embedded notes: 0 texts.\n' });
  expect(embedded.stderr).toContain('--workspace is now --graph');
  expect((await sandbox.run(['embed', '--help'])).stdout).not.toContain('--workspace');
});
