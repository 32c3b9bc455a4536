import { realpath, stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { openExistingStore } from '../config/open-configured-store.js';
import { isUrl, resolvePath } from '../config/paths.js';
import { loadSettings, type StoreLocation } from '../config/settings.js';
import { TrellisError } from '../model/error.js';
import { backupJsonl } from '../store/jsonl/jsonl-backup.js';
import { type BackedUpGraph, backupSqlite } from '../store/sqlite/sqlite-backup.js';
import type { Store } from '../store/store-contract.js';
import { type CommonOptions, jsonOption, locationOptions } from './command-options.js';
import { pluralize, print } from './print.js';
import { createFileAtomically } from './transfer/write-new-file.js';

interface BackupOptions extends CommonOptions {
  readonly force?: boolean;
}

interface BackupContents {
  readonly kind: Store['kind'];
  readonly graphs: readonly BackedUpGraph[];
}

const help = `
Writes everything in the store to one file that only you can read, while others use the store, and
verifies it. The backup of an SQLite database has every graph, branch and commit, and is checked for
damage; the backup of a JSON lines store is an exact copy. The file appears complete or not at all.

Examples:
  $ trellis backup trellis-backup.db
  $ trellis backup ~/backups/memory.jsonl --file memory.jsonl --force
`;

export function define(command: Command): void {
  command.argument('<path>', 'the file to write');
  jsonOption(locationOptions(command))
    .option('--force', 'overwrite an existing file')
    .addHelpText('after', help)
    .action(run);
}

async function run(path: string, options: BackupOptions): Promise<void> {
  const location = (await loadSettings(options)).location.value;
  if (isUrl(location.path))
    throw new TrellisError('CAPABILITY_MISSING', 'PostgreSQL databases are backed up with their own tools.', {
      hint: 'Use pg_dump --format=custom --file=trellis.dump with the URL of the database, and pg_restore to restore it.',
    });
  const file = resolvePath(path);
  const kind = await kindOf(location);
  await refuseStoreItself(location.path, file);
  const held = await createFileAtomically(file, options.force === true, (temporary) =>
    write(kind, location.path, temporary),
  );
  await report(location.path, file, held, options.json === true);
}

async function write(kind: Store['kind'], from: string, to: string): Promise<BackupContents> {
  if (kind === 'sqlite') return { kind, graphs: await backupSqlite(from, to) };
  await backupJsonl(from, to);
  return { kind, graphs: [] };
}

/** Opening the store refuses files that are not stores. */
async function kindOf(location: StoreLocation): Promise<Store['kind']> {
  const store = await openExistingStore(location);
  await store.close();
  return store.kind;
}

/** With --force, the backup would overwrite its own source. */
async function refuseStoreItself(store: string, file: string): Promise<void> {
  const real = (path: string) => realpath(path).catch(() => path);
  const storeFile = await real(store);
  const storeFiles = [storeFile, `${storeFile}-wal`, `${storeFile}-shm`, `${storeFile}.lock`];
  if (!storeFiles.includes(await real(file))) return;
  throw new TrellisError('USAGE', `${file} belongs to the store itself.`, { hint: 'Choose another file.' });
}

async function report(
  from: string,
  file: string,
  { kind, graphs }: BackupContents,
  json: boolean,
): Promise<void> {
  const bytes = (await stat(file)).size;
  if (json) return print({ store: from, file, kind, bytes, graphs });
  print(`Wrote ${file} (${pluralize(bytes, 'byte')}) and verified it.`);
  for (const { name, nodes, observations, edges } of graphs)
    print(
      `  ${name}: ${pluralize(nodes, 'node')}, ${pluralize(observations, 'observation')}, ${pluralize(edges, 'edge')}`,
    );
}
