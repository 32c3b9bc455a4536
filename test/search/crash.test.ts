import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { freshSeed, randomFrom } from '../../bench/lib/random.js';
import { localEmbedder } from '../../src/search/embedders/local-embedder.js';
import { embedGraph } from '../../src/search/embedding/embed-graph.js';
import { embeddingCoverage } from '../../src/search/embedding/embedding-coverage.js';
import { resolveSpaces } from '../../src/search/embedding/embedding-spaces.js';
import { defaultPerspectives } from '../../src/search/perspectives.js';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';

// A run is repeated with the seed that its failure names: TRELLIS_TEST_SEED=… npx vitest run test/search/crash.test.ts
const seed = Number(process.env['TRELLIS_TEST_SEED'] ?? freshSeed());
const child = fileURLToPath(new URL('./embed-child.js', import.meta.url));
const embedding = { embedder: localEmbedder, perspectives: defaultPerspectives };
const graph = 'default';

describe.each(databaseKinds)(`killed while it embeds, seed ${seed}: $kind`, (kind) => {
  let scratch: Scratch;
  const random = randomFrom(seed);
  beforeEach(async () => {
    scratch = await scratchStore(kind);
  });
  afterEach(() => scratch.dispose());

  /** Runs the child and kills it a while after its first write; answers the nodes it had stored. */
  async function killedAfter(ms: number, round: number, on: string): Promise<string[]> {
    const writer = spawn(process.execPath, [child, scratch.path, String(round), on], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const stored: string[] = [];
    const lines = createInterface({ input: writer.stdout });
    lines.on('line', (name) => stored.push(name));
    await once(lines, 'line');
    await wait(ms);
    const ended = once(writer, 'exit');
    writer.kill('SIGKILL');
    await ended;
    return stored;
  }

  test.each(['the thread of calls', 'thread'])(
    'on %s, every text that was stored has its own vector once somebody goes on',
    async (on) => {
      const stored: string[] = [];
      for (let round = 0; round < 3; round++)
        stored.push(...(await killedAfter(random.below(400), round, on)));
      await scratch.reopen();
      const { vectors } = scratch.store;
      if (vectors === null) throw new Error('no vectors');
      await embedGraph({ vectors, graph, ...embedding });

      const spaces = await resolveSpaces(embedding);
      if (!spaces.known) throw new Error(spaces.reason.message);
      const [space] = spaces.spaces;
      if (space === undefined) throw new Error('no space');
      await scratch.store.read({ graph }, async (reader) => {
        expect(await embeddingCoverage(reader, spaces)).toBe(1);
        const nodes = await reader.nodesNamed(stored);
        expect(new Set(nodes.map(({ name }) => name))).toEqual(new Set(stored));
        for (const { text } of (await reader.observationsOf(nodes.map(({ id }) => id))).slice(-40)) {
          const [vector = new Float32Array()] = await localEmbedder.embed([text], 'document', {
            name: '',
            instruction: '',
          });
          const near = await reader.nearTexts(space, vector, { limit: 50 });
          const own = near.find((one) => one.text === text);
          expect(own?.score).toBeCloseTo(1, 4);
        }
      });
      expect(await scratch.store.check()).toEqual([]);
    },
  );
});
