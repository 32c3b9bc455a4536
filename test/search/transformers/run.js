// @ts-check
// Whether the embedder transformers works with the real package, which is too large for the suite: installs Trellis and
// `@huggingface/transformers` into a folder of their own, and embeds with a tiny model. `node test/search/transformers/run.js`
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { StdioClient } from '../../../bench/lib/stdio-client.js';
import { writeTinyModel } from './tiny-model.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'trellis-transformers-'));
try {
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: root });
  const archive = stdout.trim().split('\n').at(-1) ?? '';
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  // Without scripts: the one of onnxruntime-node fetches libraries for graphics cards, which nothing here needs.
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', ['install', ...flags, join(folder, archive), '@huggingface/transformers'], {
    cwd: folder,
  });
  const model = join(folder, 'tiny');
  await writeTinyModel(model);

  const program = join(folder, 'node_modules/trellis-memory/dist/bundle/trellis.js');
  const trellis = (/** @type {string[]} */ args, named = model) =>
    run(process.execPath, [program, ...args, '--store', join(folder, 'memory.db')], {
      env: { ...process.env, TRELLIS_EMBEDDING_PROVIDER: 'transformers', TRELLIS_EMBEDDING_MODEL: named },
    });
  const facts = { Rex: 'a puppy', Savings: 'a loan', Morning: 'tea' };
  const lines = Object.entries(facts).map(([name, fact]) =>
    JSON.stringify({ type: 'entity', name, entityType: 'thing', observations: [fact] }),
  );
  await writeFile(join(folder, 'facts.jsonl'), lines.join('\n'));
  await trellis(['import', join(folder, 'facts.jsonl')]);
  await assert.rejects(trellis(['embed'], join(folder, 'nothing')), /cannot be loaded/);
  // Two texts of each node, from each of the five perspectives.
  assert.equal((await trellis(['embed'])).stdout, 'Embedded default: 30 texts.\n');

  const env = { TRELLIS_EMBEDDING_PROVIDER: 'transformers', TRELLIS_EMBEDDING_MODEL: model };
  const args = [program, 'stdio', '--surface', 'workspace', '--store', join(folder, 'memory.db')];
  const client = await StdioClient.connect({ args, env });
  const asked = { query: 'a dog', mode: 'embedding', limit: 1 };
  const { structuredContent } = await client.call('search_nodes', asked);
  assert.match(JSON.stringify(structuredContent), /Rex/);
  await client.stop();
  console.log('The embedder transformers works.');
} finally {
  await rm(folder, { recursive: true, force: true });
}
