import { isReachable } from '../file/path-exists.js';
import { resolveTarget } from '../file/resolve-target.js';
import { TrellisError } from '../model/error.js';
import { type ClientName, clientNamed, type McpClient } from './clients.js';
import { type ConfigEditor, type EntryPlace, editorFor } from './config-editor.js';
import { isOurs } from './is-ours.js';
import type { Machine } from './machine.js';
import { readClientConfig } from './read-client-config.js';
import type { EntryValue, ServerEntry } from './server-entry.js';
import { UnreadableConfig } from './unreadable-config.js';

/** A change to one configuration file, not yet made. */
export interface Plan {
  readonly client: ClientName;
  readonly file: string;
  /** Undefined if the file does not exist, or is to be deleted. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** Whether the entry of somebody else goes. */
  readonly replacesOther?: boolean;
  /** Default: `backupOf(file)`. */
  readonly backup?: string;
  /** Default: the entry of the server. */
  readonly what?: 'hooks' | undefined;
  readonly outcome: 'added' | 'replaced' | 'unchanged' | 'removed' | 'not set';
}

export interface Target {
  readonly machine: Machine;
  readonly project: boolean;
  /** The name of the entry. */
  readonly name: string;
}

const backupEnding = '.before-trellis';

export function backupOf(file: string): string {
  return file + backupEnding;
}

export async function planInstall(
  name: ClientName,
  target: Target,
  server: ServerEntry,
  replacesOthers: boolean,
): Promise<Plan> {
  const client = clientNamed(name);
  const file = await configFile(name, target);
  const before = await readClientConfig(file);
  const place = placeIn(client, target);
  const value = client.entry(server, target.name);
  return explainingErrors(name, file, () => {
    const editor = editorFor(client);
    const found = before === undefined ? undefined : editor.read(before, place);
    if (found !== undefined && sameValue(found, value))
      return { client: name, file, before, after: before, outcome: 'unchanged' };
    const replacesOther = found !== undefined && !isOurs(found);
    if (replacesOther && !replacesOthers) throw notOurs(file, target.name);
    const after = editor.set(before ?? client.newFile ?? '', place, value);
    if (!sameValue(readBack(editor, after, place), value)) throw new UnreadableConfig(cannotEdit);
    const outcome = found === undefined ? 'added' : 'replaced';
    return { client: name, file, before, after, outcome, replacesOther };
  });
}

export async function planUninstall(name: ClientName, target: Target): Promise<Plan> {
  const client = clientNamed(name);
  const file = await configFile(name, target);
  const before = await readClientConfig(file);
  const backup = await readClientConfig(backupOf(file));
  const place = placeIn(client, target);
  return explainingErrors(name, file, () => {
    const found = before === undefined ? undefined : editorFor(client).read(before, place);
    if (before === undefined || found === undefined)
      return { client: name, file, before, after: before, outcome: 'not set' };
    if (!isOurs(found)) throw notOurs(file, target.name);
    return {
      client: name,
      file,
      before,
      after: withoutEntry(client, place, { before, backup, found }),
      outcome: 'removed',
    };
  });
}

/** The file as it was if nobody else has changed it since; undefined if there was none. Else only the entry goes. */
function withoutEntry(
  client: McpClient,
  place: EntryPlace,
  { before, backup, found }: { before: string; backup: string | undefined; found: unknown },
): string | undefined {
  const editor = editorFor(client);
  const original = backup ?? client.newFile ?? '';
  if (before === editor.set(original, place, found as EntryValue)) return backup;
  const after = editor.remove(before, place);
  if (readBack(editor, after, place) !== undefined) throw new UnreadableConfig(cannotEdit);
  return after;
}

const cannotEdit = 'it is written in a way in which an entry cannot be added or removed';

/** What a client will find: the file may be written in ways that the editor does not expect. */
function readBack(editor: ConfigEditor, text: string, place: EntryPlace): unknown {
  try {
    return editor.read(text, place);
  } catch {
    throw new UnreadableConfig(cannotEdit);
  }
}

/** Where the entry is, or would be. */
export async function configFile(name: ClientName, { machine, project }: Target): Promise<string> {
  const client = clientNamed(name);
  if (project) {
    const file = client.projectFile?.(machine);
    if (file === undefined)
      throw new TrellisError('USAGE', `${client.title} has no configuration for a project.`, {
        hint: `Leave out --project to set it for all projects.`,
      });
    return resolveTarget(file);
  }
  const files = client.userFiles(machine);
  for (const file of files) if (await isReachable(file)) return resolveTarget(file);
  return resolveTarget(files[0] as string);
}

export async function readEntry(name: ClientName, target: Target): Promise<unknown> {
  const client = clientNamed(name);
  const file = await configFile(name, target);
  const text = await readClientConfig(file);
  if (text === undefined) return undefined;
  return explainingErrors(name, file, () => editorFor(client).read(text, placeIn(client, target)));
}

function placeIn(client: McpClient, { name }: Target): EntryPlace {
  return { key: client.key, name, isList: client.isList === true };
}

export function explainingErrors<T>(name: ClientName, file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    // A parser that runs out of stack.
    const unreadable = error instanceof RangeError ? new UnreadableConfig('it is nested too deeply') : error;
    if (!(unreadable instanceof UnreadableConfig)) throw error;
    const { line, message } = unreadable;
    const at = line === undefined ? file : `${file}, line ${line}`;
    throw new TrellisError('INVALID_ARGUMENT', `Cannot read ${at}: ${message}. Nothing was changed.`, {
      hint: `Correct the file, then run the command again. ${clientNamed(name).title} may not be able to read it either.`,
      cause: error,
    });
  }
}

function sameValue(found: unknown, value: EntryValue): boolean {
  return JSON.stringify(found) === JSON.stringify(value);
}

function notOurs(file: string, name: string): TrellisError {
  return new TrellisError(
    'INVALID_ARGUMENT',
    `${file} has a server ${name} that starts something else. Nothing was changed.`,
    {
      hint: 'Choose another name with --name, or replace it with --force.',
    },
  );
}
