import { constants, copyFile, link, mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { openConfiguredStore, openExistingStore, withStore } from '../config/open-configured-store.js';
import { isUrl, resolvePath } from '../config/paths.js';
import { loadSettings, type StoreLocation } from '../config/settings.js';
import { ifExists } from '../file/file-errors.js';
import { isReachable } from '../file/path-exists.js';
import { resolveTarget } from '../file/resolve-target.js';
import { syncFolder } from '../file/save-atomically.js';
import { asTrellisError, TrellisError } from '../model/error.js';
import type { GraphCounts } from '../store/read-results.js';
import { countMainBranches } from '../store/sqlite/sqlite-backup.js';
import { whileUnused } from '../store/sqlite/while-unused.js';
import type { Store } from '../store/store-contract.js';
import { type CommonOptions, jsonOption, locationOptions } from './command-options.js';
import { pluralize, print } from './print.js';

interface RestoreOptions extends CommonOptions {
  readonly force?: boolean;
}

interface Contents {
  readonly kind: Store['kind'];
  readonly graphs: readonly (GraphCounts & { readonly name: string })[];
}

const help = `
Puts a backup in the place of the store. The backup is copied and checked first; it stays as it is.
A store that is there is replaced only with --force, a database only while nobody has it open (of a
JSON lines file, nobody can tell: stop what uses it first); it is kept
beside the new one, ending in .replaced and the time.

Examples:
  $ trellis restore trellis-backup.db
  $ trellis restore trellis-backup.db --store work.db --force
`;

export function define(command: Command): void {
  command.argument('<backup>', 'the file that trellis backup wrote');
  jsonOption(locationOptions(command))
    .option('--force', 'replace the store that is there')
    .addHelpText('after', help)
    .action(run);
}

async function run(backup: string, options: RestoreOptions): Promise<void> {
  const { value: location } = (await loadSettings(options)).location;
  if (isUrl(location.path))
    throw new TrellisError('CAPABILITY_MISSING', 'PostgreSQL databases are restored with their own tools.', {
      hint: 'Use pg_restore with the file that pg_dump wrote, into an empty database.',
    });
  const target = await resolveTarget(location.path);
  const staged = `${target}.restoring-${process.pid}${/\.\w+$/.exec(target)?.[0] ?? ''}`;
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  try {
    const found = await stageBackup(resolvePath(backup), staged, location);
    const replaced = await putInPlace(staged, target, found.kind, location, options.force === true);
    report({ backup: resolvePath(backup), store: target, replaced, found }, options.json === true);
  } finally {
    await removeDatabase(staged);
  }
}

async function removeDatabase(database: string): Promise<void> {
  for (const file of [database, ...walFiles(database)]) await rm(file, { force: true });
}

function walFiles(database: string): readonly string[] {
  return [`${database}-wal`, `${database}-shm`];
}

/** Copies the backup beside the store, brings the copy up to date and checks it. */
async function stageBackup(backup: string, staged: string, location: StoreLocation): Promise<Contents> {
  if (!(await isReachable(backup)))
    throw new TrellisError('NOT_FOUND', `There is no file ${backup}.`, { hint: 'Check the path.' });
  // SQLite would apply a log that a killed process left to the copy.
  await removeDatabase(staged);
  await copyFile(backup, staged);
  return withStore(openConfiguredStore({ ...location, path: staged }), async (store) => {
    const damage = await store.check();
    if (damage.length > 0)
      throw new TrellisError('STORE_CORRUPT', `${backup} is damaged: ${damage.slice(0, 3).join('; ')}.`, {
        hint: 'Nothing was changed. Try an older backup.',
      });
    return contentsOf(store);
  });
}

/** Returns where the replaced store is now, if there was one. */
async function putInPlace(
  staged: string,
  target: string,
  kind: Store['kind'],
  location: StoreLocation,
  force: boolean,
): Promise<string | undefined> {
  const aside = `${target}.replaced-${new Date().toISOString().replaceAll(':', '')}`;
  const swap = async (existing?: Contents['graphs']) => {
    if (existing !== undefined) {
      requireEmptyOrForce(target, existing, force);
      // A second name, not a new one: whenever this is killed, there is a store.
      await link(target, aside).catch(() => copyFile(target, aside, constants.COPYFILE_EXCL));
      // Nobody else has them open, and they are empty: what they held is in the file that is kept.
      for (const own of walFiles(target)) await rm(own, { force: true });
    }
    await rename(staged, target);
    await syncFolder(dirname(target));
    return existing === undefined ? undefined : aside;
  };
  if (!(await isReachable(target))) return swap();
  // A damaged store can be replaced too, so what it holds is asked for only where that matters.
  if (kind === 'sqlite')
    return whileUnused(target, async (connection) =>
      swap(force ? [] : await countMainBranches(connection)),
    ).catch(async (error) => {
      if (!force || !['STORE_CORRUPT', 'NOT_A_STORE'].includes(asTrellisError(error).code)) throw error;
      // SQLite would apply the log of the damaged store to the restored one.
      for (const suffix of ['-wal', '-shm'])
        await ifExists(rename(`${target}${suffix}`, `${aside}${suffix}`));
      return swap([]);
    });
  if (force) return swap([]);
  return swap((await withStore(openExistingStore({ ...location, path: target }), contentsOf)).graphs);
}

function requireEmptyOrForce(target: string, graphs: Contents['graphs'], force: boolean): void {
  if (force || graphs.every(({ nodes, edges }) => nodes + edges === 0)) return;
  throw new TrellisError('CONFIRMATION_NEEDED', `${target} has ${listed(graphs)}.`, {
    hint: 'To replace it, pass --force; it is kept beside the new one.',
  });
}

async function contentsOf(store: Store): Promise<Contents> {
  const graphs = [];
  for (const { name } of await store.graphs())
    graphs.push({ name, ...(await store.read({ graph: name }, (reader) => reader.counts())) });
  return { kind: store.kind, graphs };
}

interface Restored {
  readonly backup: string;
  readonly store: string;
  readonly replaced: string | undefined;
  readonly found: Contents;
}

function report({ backup, store, replaced, found }: Restored, json: boolean): void {
  if (json) {
    print({ backup, store, replaced: replaced ?? null, ...found });
    return;
  }
  print(`Restored ${store} from ${backup}, and checked it.`);
  for (const { name, nodes, observations, edges } of found.graphs)
    print(
      `  ${name}: ${pluralize(nodes, 'node')}, ${pluralize(observations, 'observation')}, ${pluralize(edges, 'edge')}`,
    );
  if (replaced !== undefined) print(`What was there is in ${replaced}`);
}

function listed(graphs: Contents['graphs']): string {
  return graphs
    .map(
      ({ name, nodes, edges }) => `${name} with ${pluralize(nodes, 'node')} and ${pluralize(edges, 'edge')}`,
    )
    .join(', ');
}
