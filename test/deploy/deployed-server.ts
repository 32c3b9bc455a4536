import { type ChildProcess, execFileSync, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, vi } from 'vitest';

/** Whether this machine has a program; tests that need it are skipped by name if not. */
export function has(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}

/** A file of `deploy/`, with each of these texts replaced by another, all of which must occur. */
export async function deployed(name: string, replacements: Readonly<Record<string, string>> = {}) {
  let text = await readFile(join('deploy', name), 'utf8');
  for (const [from, to] of Object.entries(replacements)) {
    expect(text).toContain(from);
    text = text.replaceAll(from, to);
  }
  return text;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('There is no free port.');
  return address.port;
}

interface Deployment {
  /** Where the configuration and the state go. */
  readonly folder: string;
  /** The program and its arguments, before those of Trellis. */
  readonly command: readonly [string, ...string[]];
  /** Who runs it, if not the user of the tests. */
  readonly user?: Pick<SpawnOptions, 'uid' | 'gid'>;
}

/** Starts a server with `deploy/trellis.yaml`, after creating a token as docs/deploying.md says. */
export async function startDeployed({ folder, command: [program, ...before], user = {} }: Deployment) {
  const state = join(folder, 'state');
  const config = join(folder, 'trellis.yaml');
  await mkdir(state, { recursive: true });
  if (user.uid !== undefined && user.gid !== undefined) await chown(state, user.uid, user.gid);
  await writeFile(config, await deployed('trellis.yaml', { '/var/lib/trellis': state }));
  await writeFile(join(folder, 'policy.yaml'), await deployed('policy.yaml'));
  const port = await freePort();
  const env = {
    ...{ PATH: process.env['PATH'] ?? '', HOME: state, TRELLIS_STORE: join(state, 'trellis.db') },
    ...{ TRELLIS_SERVER_HOST: '127.0.0.1', TRELLIS_SERVER_PORT: String(port) },
  };
  const creating = ['token', 'create', '--actor', 'ann', '--groups', 'team', '--config', config];
  const token = execFileSync(program, [...before, ...creating], {
    ...{ ...user, env, cwd: state, encoding: 'utf8' },
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
  const child = spawn(program, [...before, 'serve', '--config', config], {
    ...{ ...user, env, cwd: state, stdio: 'ignore' },
  });
  try {
    await until(async () => expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200));
  } catch (error) {
    await stop(child);
    throw error;
  }
  return { port, token, stop: () => stop(child) };
}

/** Waits until something succeeds; the limit only ends what hangs. */
export function until<T>(attempt: () => Promise<T>): Promise<T> {
  return vi.waitFor(attempt, { timeout: 60_000, interval: 100 });
}

export async function stop(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
  return child.exitCode;
}
