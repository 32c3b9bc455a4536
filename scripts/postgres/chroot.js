import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const packages = ['postgresql-17', 'postgresql-17-pgvector'];

/** Where the programs are, seen from inside. */
export const programs = '/usr/lib/postgresql/17/bin';

/**
 * The folder that holds PostgreSQL 17 with pgvector from Debian trixie; or why there is none, and where to make it.
 * @returns {{ chroot?: string, reason?: string, missing?: string }}
 */
export function findChroot(env = process.env) {
  if (process.platform !== 'linux') return { reason: 'a PostgreSQL of our own needs Linux' };
  if (process.getuid?.() !== 0) return { reason: 'a PostgreSQL of our own needs root' };
  const chroot = env.TRELLIS_TEST_POSTGRES_CHROOT ?? '/var/cache/trellis-test-postgres';
  if (existsSync(join(chroot, programs, 'postgres'))) return { chroot };
  return { missing: chroot, reason: `${chroot} is missing; scripts/postgres-for-tests makes it` };
}

/** The same folder, made if it is missing. */
export async function makeChroot(env = process.env) {
  const { missing, ...found } = findChroot(env);
  if (missing === undefined) return found;
  try {
    await build(missing);
    return { chroot: missing };
  } catch (error) {
    const last = `${error.stderr ?? ''}${error.stdout ?? ''}`.trim().split('\n').at(-1);
    return { reason: `making ${missing} failed: ${last || error.message}` };
  }
}

async function build(chroot) {
  process.stderr.write(
    `postgres-for-tests: making ${chroot} from Debian trixie, once; this takes some minutes\n`,
  );
  if (!onPath('debootstrap')) {
    await run('apt-get', ['update', '-q']);
    await run('apt-get', ['install', '-qy', '--no-install-recommends', 'debootstrap'], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  }
  await mkdir(dirname(chroot), { recursive: true });
  // Under a name of its own until it is whole: an interrupted build is never mistaken for one that can be used.
  const draft = await mkdtemp(`${chroot}.making-`);
  try {
    const made = ['--variant=minbase', `--include=${packages.join(',')}`, 'trixie', draft];
    await run('debootstrap', made, { maxBuffer: 64 * 1024 * 1024 });
    await run('chmod', ['0755', draft]);
    await rename(draft, chroot);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another run may have been quicker.
    if (!existsSync(join(chroot, programs, 'postgres'))) throw error;
  }
}

function onPath(program) {
  return (process.env.PATH ?? '').split(':').some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
