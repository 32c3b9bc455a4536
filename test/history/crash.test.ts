import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { freshSeed, randomFrom } from '../../bench/lib/random.js';
import { TrellisError } from '../../src/model/error.js';
import type { Writer } from '../../src/store/writer.js';
import { times } from '../helpers/full.js';
import { databaseKinds } from '../helpers/stores.js';
import { type Picture, Repository } from './repository.js';

// A run is repeated with the seed that its failure names: TRELLIS_TEST_SEED=… npx vitest run test/history
const seed = Number(process.env['TRELLIS_TEST_SEED'] ?? freshSeed());
const child = fileURLToPath(new URL('./crash-child.js', import.meta.url));
const rounds = Number(process.env['TRELLIS_TEST_KILLS'] ?? times(2, 4));
const size = 1_000;

describe.each(databaseKinds)(`killed in the middle of it, seed ${seed}: $kind`, (kind) => {
  let on: Repository;
  const random = randomFrom(seed);
  beforeEach(async () => {
    on = await Repository.on(kind);
    await on.write('main', ({ rows }) => grow(rows, 'main'));
    await on.fork('try');
    await on.write('try', ({ rows }) => grow(rows, 'try'));
    await on.write('try', ({ rows }) => shrink(rows));
  });
  afterEach(() => on.dispose());

  /** Runs the child and kills it after a while; answers whether it had finished. */
  async function killed(work: 'merge' | 'collect' | 'ingest', afterMs: number): Promise<boolean> {
    const process_ = spawn(process.execPath, [child, on.path, work], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    await new Promise<void>((resolve) => {
      process_.stdout.on('data', (data) => {
        said += String(data);
        resolve();
      });
      process_.once('exit', () => resolve());
    });
    await Promise.race([wait(afterMs), new Promise((resolve) => process_.once('exit', resolve))]);
    process_.kill('SIGKILL');
    if (process_.exitCode === null && process_.signalCode === null)
      await new Promise((resolve) => process_.once('exit', resolve));
    return said.includes('done');
  }

  test('a merge is there as a whole or not at all, and can be done again', async () => {
    const before = await on.look();
    const head = await on.head();
    const after = await on.look({ branch: 'try' });
    for (let round = 0; round < rounds; round++) {
      const finished = await killed('merge', random.below(round === rounds - 1 ? 20_000 : 400));
      const found = await on.look();
      const merged = (await on.head()) !== head;
      expect(found).toEqual(merged ? after : before);
      if (finished) expect(merged).toBe(true);
      expect(await on.store.check()).toEqual([]);
    }
    await on.merge('try');
    expect(await on.look()).toEqual(after);
  });

  test('an ingest is there as a whole or not at all, and can be done again', async () => {
    const before = await on.look();
    let isThere = false;
    for (let round = 0; round < rounds && !isThere; round++) {
      const finished = await killed('ingest', random.below(1_500));
      const { nodes, edges } = await on.look();
      const added = [nodes.length - before.nodes.length, edges.length - before.edges.length];
      isThere = added[0] === 5_000;
      expect(added).toEqual(isThere ? [5_000, 5_000] : [0, 0]);
      if (finished) expect(isThere).toBe(true);
      expect(await on.store.check()).toEqual([]);
    }
    if (!isThere) expect(await killed('ingest', 60_000)).toBe(true);
    expect((await on.look()).nodes.length - before.nodes.length).toBe(5_000);
  });

  test('collecting changes nothing that can be seen, wherever it ends, and goes on when done again', async () => {
    await on.merge('try');
    for (let version = 0; version < 4; version++) {
      await on.write('main', ({ rows }) => rewrite(rows, version));
    }
    const heads = [await on.look(), await on.look({ branch: 'try' })];
    const commits = await Promise.all(
      (await on.store.commits({ graph: on.graph })).map(async ({ id }) => ({
        id,
        state: await on.look({ commit: id }),
      })),
    );
    for (let round = 0; round < rounds; round++) {
      await killed('collect', random.below(400));
      expect([await on.look(), await on.look({ branch: 'try' })]).toEqual(heads);
      for (const { id, state } of commits) expect([state, 'COMMIT_COLLECTED']).toContainEqual(await at(id));
    }
    await on.store.collect(on.graph, { before: Number.MAX_SAFE_INTEGER });
    expect([await on.look(), await on.look({ branch: 'try' })]).toEqual(heads);
    const again = await on.store.collect(on.graph, { before: Number.MAX_SAFE_INTEGER });
    expect(again).toEqual({ commits: 0, nodes: 0, observations: 0, edges: 0 });
    expect(await on.store.check()).toEqual([]);
  });

  async function at(commit: string): Promise<Picture | string> {
    try {
      return await on.look({ commit });
    } catch (error) {
      if (error instanceof TrellisError) return error.code;
      throw error;
    }
  }
});

async function grow(rows: Writer, prefix: string): Promise<void> {
  const names = Array.from({ length: size }, (_, index) => `${prefix} ${index}`);
  const made = await rows.addIdentities(names.map((name) => ({ type: 'thing', name, observations: 1 })));
  await rows.putNodes(made.map(({ node, name }) => ({ id: node, type: 'thing', name })));
  await rows.putObservations(made.map(({ node, name }) => ({ node, text: `about ${name}` })));
  await rows.putEdges(
    made.slice(1).map(({ node, name }, index) => ({
      ...{ from: node, to: made[index]?.node ?? node, type: 'follows', key: '' },
      ...{ fromName: name, toName: names[index] ?? name },
    })),
  );
}

async function shrink(rows: Writer): Promise<void> {
  const nodes = (await rows.nodes()).filter((_, index) => index % 5 === 0);
  await rows.removeNodes(nodes.map(({ id }) => id));
}

async function rewrite(rows: Writer, version: number): Promise<void> {
  const nodes = await rows.nodes({ limit: size });
  await rows.putNodes(nodes.map((node) => ({ ...node, summary: `version ${version}` })));
}
