import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { createNodes } from '../../src/engine/write/create-nodes.js';
import { modelServer } from '../helpers/model-server.js';
import { scratchStore, sqlite } from '../helpers/stores.js';
import { useSandbox } from './run-cli.js';

const sandbox = useSandbox();

test('trellis embed embeds what has no vector yet, and with --again everything', async () => {
  const scratch = await scratchStore(sqlite);
  try {
    await new Graph(scratch.store, 'default').write({ actor: 'ann', tool: 'test' }, (tx) =>
      createNodes(tx, [{ name: 'pet', type: 'animal', observations: ['the dog barked', 'it slept'] }]),
    );
    await scratch.store.close();
    const embed = (...more: string[]) => sandbox.run(['embed', '--store', scratch.path, ...more]);
    expect((await embed('--workspace', 'default')).stdout).toBe('Embedded default: 3 texts.\n');
    expect((await embed()).stdout).toBe('Embedded default: 0 texts.\n');
    expect(JSON.parse((await embed('--again', '--json')).stdout)).toMatchObject({
      model: 'local:glove-60k-100d-1',
      graphs: [{ name: 'default', embedded: 3 }],
    });
    expect((await embed('--workspace', 'nope')).code).toBe(1);
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
    createNodes(tx, [{ name: 'pet', type: 'animal', observations: ['the dog barked'] }]),
  );
  const config = async (...perspectives: string[]) => {
    const list = perspectives.map((name) => `{ name: ${name.split(' ')[0]}, instruction: ${name} }`);
    await writeFile(
      sandbox.path('models.yaml'),
      `embedding: { provider: ollama, model: plain, url: "${server.url}", perspectives: [${list.join(', ')}] }`,
    );
  };
  const run = (...command: string[]) =>
    sandbox.run([...command, '--store', scratch.path, '--config', sandbox.path('models.yaml')]);
  try {
    await config('taste', 'smell');
    expect((await run('embed')).stdout).toBe('Embedded default: 4 texts.\n');
    expect(server.asked.flat()).toContain('smell: the dog barked');
    await config('taste', 'smell again');
    expect((await run('embed')).stdout).toBe('Embedded default: 2 texts.\n');
    expect(server.asked.flat()).toContain('smell again: the dog barked');
    await config('taste');
    expect((await run('embed')).stdout).toBe('Embedded default: 0 texts.\n');
    const spaces = async () => ((await scratch.store.vectors?.spaces('default')) ?? []).length;
    expect(await spaces()).toBe(2);
    const collected = async (...more: string[]) =>
      JSON.parse((await run('gc', '--keep', '1d', '--json', ...more)).stdout).graphs[0].perspectives;
    expect(await collected('--dry-run')).toBe(1);
    expect(await spaces()).toBe(2);
    expect((await run('gc', '--keep', '1d')).stdout).toContain('Vectors: dropped those of 1 perspective.');
    expect(await spaces()).toBe(1);
    expect(await collected()).toBe(0);
  } finally {
    await scratch.dispose();
  }
});
