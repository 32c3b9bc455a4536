import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { programs } from './chroot.js';

const run = promisify(execFile);
const clusters = '/var/lib/trellis-test';
const day = 24 * 60 * 60 * 1000;

/** How a command is run inside, as the user PostgreSQL insists on: anyone but root. */
export function inside(chroot, ...options) {
  return [chroot, 'setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups', ...options, '--'];
}

/**
 * A new data folder with a certificate of its own: empty with a password of its own, or a replica of a running server. All
 * paths are as seen from inside.
 */
export async function makeCluster(chroot, primary) {
  await sweep(join(chroot, clusters));
  const name = `${process.pid}-${randomBytes(4).toString('hex')}`;
  const folder = `${clusters}/${name}`;
  const password = primary === undefined ? randomBytes(12).toString('hex') : new URL(primary).password;
  const cluster = {
    folder,
    password,
    data: `${folder}/data`,
    log: `${folder}/log`,
    certificate: `${folder}/server.crt`,
    key: `${folder}/server.key`,
  };

  try {
    await mkdir(join(chroot, folder), { recursive: true });
    await writeFile(join(chroot, folder, 'password'), password);
    const { uid, gid } = await postgresUser(chroot);
    await chown(join(chroot, folder), uid, gid);
    const fill = primary === undefined ? initialise(chroot, cluster) : replicate(chroot, cluster, primary);
    await Promise.all([fill, certify(chroot, cluster)]);
  } catch (error) {
    await rm(join(chroot, folder), { recursive: true, force: true });
    throw error;
  }
  return cluster;
}

async function initialise(chroot, { data, folder }) {
  const options = [
    ...['--pgdata', data, '--username=postgres', `--pwfile=${folder}/password`, '--auth=scram-sha-256'],
    // Most databases in use sort by the rules of a language; with plain byte order, a forgotten COLLATE would pass.
    ...['--encoding=UTF8', '--locale=C.UTF-8', '--locale-provider=icu', '--icu-locale=en-US'],
    // Nothing of worth is in it yet. The server itself runs with fsync on.
    '--no-sync',
  ];
  await run('chroot', [...inside(chroot), `${programs}/initdb`, ...options]);
}

async function replicate(chroot, { data }, primary) {
  const options = ['--pgdata', data, '--write-recovery-conf', '--checkpoint=fast', '--no-sync'];
  await run('chroot', [...inside(chroot), `${programs}/pg_basebackup`, '--dbname', primary, ...options]);
}

async function certify(chroot, { certificate, key }) {
  await run('chroot', [
    ...inside(chroot),
    ...['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
    ...['-days', '30', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'],
    ...['-out', certificate, '-keyout', key],
  ]);
}

async function postgresUser(chroot) {
  const line = (await readFile(join(chroot, 'etc/passwd'), 'utf8')).match(/^postgres:[^:]*:(\d+):(\d+):/m);
  if (!line) throw new Error(`${chroot} has no user postgres; remove the folder to have it made again`);
  return { uid: Number(line[1]), gid: Number(line[2]) };
}

/** Removes what a machine that went down left behind; a supervisor that still runs keeps its own, whatever its age. */
async function sweep(folder) {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const age = Date.now() - (await stat(path).catch(() => ({ mtimeMs: Date.now() }))).mtimeMs;
    const owner = await readFile(`/proc/${name.split('-')[0]}/cmdline`, 'utf8').catch(() => '');
    if (age > day && !owner.includes('supervisor.js')) await rm(path, { recursive: true, force: true });
  }
}
