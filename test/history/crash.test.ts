import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

type Work = 'merge' | 'collect' | 'ingest';

describe.each(databaseKinds)(`killed in the middle of it, seed ${seed}: $kind`, (kind) => {
  let place: Repository;
  const random = randomFrom(seed);
  beforeAll(async () => {
    place = await Repository.on(kind);
  });
  afterAll(() => place.dispose());

  /** Runs the child, which says when it begins and when it is done. */
  async function run(on: Repository, work: Work, killAfterMs = Number.POSITIVE_INFINITY) {
    const running = spawn(process.execPath, [child, on.path, on.graph, work], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = new Promise((resolve) => running.once('exit', resolve));
    let said = '';
    const isSaid = (word: string) =>
      new Promise<void>((resolve) => {
        running.stdout.on('data', () => said.includes(word) && resolve());
      });
    running.stdout.on('data', (data) => {
      said += String(data);
    });
    await Promise.race([isSaid('started'), ended]);
    const start = performance.now();
    const done = Promise.race([isSaid('done'), ended]);
    if (killAfterMs === Number.POSITIVE_INFINITY) await done;
    else await Promise.race([wait(killAfterMs), done]);
    const ms = performance.now() - start;
    running.kill('SIGKILL');
    await ended;
    return { isDone: said.includes('done'), ms };
  }

  /**
   * Does some work once in peace, to learn how long it takes, and then again and again, killed at some time of it. What a
   * round finished is prepared anew.
   */
  async function killRounds<B>(
    work: Work,
    prepare: () => Promise<{ readonly on: Repository; readonly before: B }>,
    verify: (on: Repository, before: B, isDone: boolean) => Promise<{ readonly isThere: boolean }>,
  ): Promise<void> {
    let { on, before } = await prepare();
    const { isDone, ms } = await run(on, work);
    expect(isDone).toBe(true);
    let { isThere } = await verify(on, before, isDone);
    expect(isThere).toBe(true);
    for (let round = 0; round < rounds; round++) {
      if (isThere) ({ on, before } = await prepare());
      const killed = await run(on, work, random.below(Math.ceil(ms * 1.1)));
      ({ isThere } = await verify(on, before, killed.isDone));
      if (killed.isDone) expect(isThere).toBe(true);
      expect(await on.store.check()).toEqual([]);
    }
  }

  /** A branch that adds and removes much. */
  async function withBranch(): Promise<Repository> {
    const on = await place.another();
    await on.write('main', ({ rows }) => grow(rows, 'main'));
    await on.fork('try');
    await on.write('try', ({ rows }) => grow(rows, 'try'));
    await on.write('try', ({ rows }) => shrink(rows));
    await on.write('try', ({ rows }) => rewrite(rows, 0));
    return on;
  }

  test('a merge is there as a whole or not at all, and can be done again', async () => {
    await killRounds(
      'merge',
      async () => {
        const on = await withBranch();
        return {
          on,
          before: {
            ours: await on.look(),
            theirs: await on.look({ branch: 'try' }),
            head: await on.head(),
          },
        };
      },
      async (on, { ours, theirs, head }) => {
        const isThere = (await on.head()) !== head;
        expect(await on.look()).toEqual(isThere ? theirs : ours);
        return { isThere };
      },
    );
  });

  test('an ingest is there as a whole or not at all, and can be done again', async () => {
    await killRounds(
      'ingest',
      async () => ({ on: await place.another(), before: undefined }),
      async (on) => {
        const { nodes, edges } = await on.look();
        const isThere = nodes.length > 0;
        expect([nodes.length, edges.length]).toEqual(isThere ? [5_000, 5_000] : [0, 0]);
        return { isThere };
      },
    );
  });

  test('collecting changes nothing that can be seen, wherever it ends, and goes on when done again', async () => {
    await killRounds(
      'collect',
      async () => {
        const on = await withBranch();
        await on.merge('try');
        for (let version = 0; version < 4; version++)
          await on.write('main', ({ rows }) => rewrite(rows, version));
        return { on, before: await everything(on) };
      },
      async (on, { heads, commits }, isDone) => {
        expect([await on.look(), await on.look({ branch: 'try' })]).toEqual(heads);
        let collected = 0;
        for (const { id, state } of commits) {
          const found = await at(on, id);
          expect([state, 'COMMIT_COLLECTED']).toContainEqual(found);
          if (found === 'COMMIT_COLLECTED') collected += 1;
        }
        if (!isDone) return { isThere: false };
        const again = await on.store.collect(on.graph, { before: Number.MAX_SAFE_INTEGER });
        expect(again).toEqual({ commits: 0, nodes: 0, observations: 0, edges: 0 });
        return { isThere: collected > 0 };
      },
    );
  });

  async function everything(on: Repository) {
    const heads = [await on.look(), await on.look({ branch: 'try' })];
    const commits: { readonly id: string; readonly state: Picture }[] = [];
    for (const { id } of await on.store.commits({ graph: on.graph }))
      commits.push({ id, state: await on.look({ commit: id }) });
    return { heads, commits };
  }

  async function at(on: Repository, commit: string): Promise<Picture | string> {
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
