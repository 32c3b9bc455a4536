// @ts-check
// Whether the embedder transformers works with the real package, which is too large for the suite: installs Trellis and
// `@huggingface/transformers` into a folder of their own, and embeds with a tiny model. `node test/search/transformers/run.js`
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
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

  const installed = join(folder, 'node_modules/trellis-memory/dist');
  const load = (/** @type {string} */ path) => import(pathToFileURL(join(installed, path)).href);
  const { openEmbedder } = await load('search/embedders/open-embedder.js');
  const embedder = await openEmbedder({ provider: 'transformers', model });
  assert.equal(await embedder.dimension(), 5);
  const perspective = { name: 'general', instruction: 'What this is about' };
  const [dog, puppy, loan] = await embedder.embed(['a dog', 'a puppy', 'a loan'], 'document', perspective);
  const cosine = (/** @type {Float32Array} */ a, /** @type {Float32Array} */ b) =>
    a.reduce((sum, value, axis) => sum + value * (b[axis] ?? 0), 0);
  assert.ok(Math.abs(cosine(dog, dog) - 1) < 1e-5, 'vectors have length 1');
  assert.ok(cosine(dog, puppy) > cosine(dog, loan) + 0.01, 'what means the same is nearer');

  const trellis = (/** @type {string[]} */ ...args) =>
    run(process.execPath, [join(installed, 'cli/main.js'), ...args, '--store', join(folder, 'memory.db')], {
      env: { ...process.env, TRELLIS_EMBEDDING_PROVIDER: 'transformers', TRELLIS_EMBEDDING_MODEL: model },
    });
  await trellis('graph', 'create', 'pets');
  const { Graph } = await load('engine/graph.js');
  const { createNodes } = await load('engine/write/create-nodes.js');
  const { openStore } = await load('store/open.js');
  const store = await openStore(join(folder, 'memory.db'));
  await new Graph(store, 'pets').write({ actor: 'ann', tool: 'test' }, (/** @type {never} */ tx) =>
    createNodes(tx, [{ name: 'Rex', type: 'dog', observations: ['a puppy'] }]),
  );
  await store.close();
  const embedded = await trellis('embed');
  // Two texts, from each of the five perspectives.
  assert.equal(embedded.stdout, 'Embedded pets: 10 texts.\n');

  await assert.rejects(
    openEmbedder({ provider: 'transformers', model: join(folder, 'nothing') }).then(
      (/** @type {typeof embedder} */ nothing) => nothing.dimension(),
    ),
    /cannot be loaded/,
  );
  console.log('The embedder transformers works.');
} finally {
  await rm(folder, { recursive: true, force: true });
}
