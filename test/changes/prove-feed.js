// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startHttpServer } from '../../dist/server/http/http-server.js';
import { openStoreAtLocation } from '../../dist/store/open-store-at-location.js';

const writers = 4;

/**
 * Four processes write, while a fifth follows through a server and is killed again and again.
 * @param {{ location: string, writes: number, kills: number }} options
 * @returns {Promise<{ seen: string[], stored: string[], acknowledged: string[], kills: number }>} Commits as the follower
 *   saw them, as the branch has them, and as the writers heard of them.
 */
export async function proveFeed({ location, writes, kills }) {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-changes-'));
  const file = join(folder, 'seen');
  const store = await openStoreAtLocation(location);
  if ((await store.graphs()).length === 0) await store.createGraph('default');
  const server = await startHttpServer({ store, port: 0 });
  try {
    const writing = Promise.all(
      Array.from({ length: writers }, (_, nth) => write(location, `w${nth}`, writes / writers)),
    );
    const url = `${server.url}/graphs/default/changes`;
    let killed = 0;
    for (let follower = start('follower.js', url, file); ; await delay(5)) {
      const count = linesIn(file).length;
      if (follower.exitCode !== null) throw new Error('The follower ended by itself.');
      if (killed < kills && count > (writes / (kills + 1)) * killed) {
        await end(follower);
        killed += 1;
        follower = start('follower.js', url, file);
      }
      if (count >= writes && killed === kills) {
        // What comes twice would come now.
        await delay(500);
        await end(follower);
        break;
      }
    }
    const acknowledged = (await writing).flat();
    const { commits } = await store.commitsOnBranch({ graph: 'default' }, 0, writes * 2);
    const seen = linesIn(file).map((line) => line.split(' ')[1] ?? '');
    return { seen, stored: commits.map(({ id }) => id), acknowledged, kills: killed };
  } finally {
    await server.close();
    await store.close();
    await rm(folder, { recursive: true });
  }
}

/** @param {string[]} args */
function start(...args) {
  const [program = '', ...rest] = args;
  return spawn(process.execPath, [fileURLToPath(new URL(program, import.meta.url)), ...rest], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** @param {import('node:child_process').ChildProcess} child */
async function end(child) {
  const ended = once(child, 'close');
  child.kill('SIGKILL');
  await ended;
}

/**
 * @param {string} location
 * @param {string} name
 * @param {number} count
 * @returns {Promise<string[]>}
 */
async function write(location, name, count) {
  const child = start('writer.js', location, name, String(count));
  let output = '';
  child.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`A writer ended with ${code}.`);
  return output.trimEnd().split('\n');
}

/** @param {string} file */
function linesIn(file) {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
}
