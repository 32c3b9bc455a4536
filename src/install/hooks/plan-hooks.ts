import { resolveTarget } from '../../file/resolve-target.js';
import type { HookClient } from '../../hooks/hook-output.js';
import { TrellisError } from '../../model/error.js';
import { explainingErrors, type Plan, type Target } from '../plan.js';
import { readClientConfig } from '../read-client-config.js';
import { addHooks, readHooks, removeHooks } from './edit-hooks.js';
import { type HookCommand, type HookItem, hookFiles } from './hook-files.js';

/** Its own, since a client may have its servers in the same file. */
function backupOfHooks(file: string): string {
  return `${file}.before-trellis-hooks`;
}

const ownFileMark = '// Written by trellis install --hooks';

export async function planHooks(client: HookClient, target: Target, command: HookCommand): Promise<Plan> {
  const { file, before, ...place } = await placeOf(client, target);
  const original = await readClientConfig(backupOfHooks(file));
  const content = hookFiles[client].content(command, target.machine);
  return explainingErrors(client, file, () => {
    const plan = { ...place, client, file, before };
    if (typeof content === 'string') {
      if (before !== undefined && !before.startsWith(ownFileMark)) throw notOurs(file);
      const outcome = before === undefined ? 'added' : before === content ? 'unchanged' : 'replaced';
      return { ...plan, after: content, outcome };
    }
    const found = before === undefined ? [] : readHooks(before);
    if (sameItems(found, content)) return { ...plan, after: before, outcome: 'unchanged' };
    const after = addHooks(
      withoutOurs(client, before ?? '', found, original) ?? '',
      content,
      hookFiles[client].newFile,
    );
    return { ...plan, after, outcome: found.length === 0 ? 'added' : 'replaced' };
  });
}

/** Undefined if there are none of ours. */
export async function planHooksRemoval(client: HookClient, target: Target): Promise<Plan | undefined> {
  const { file, before, ...place } = await placeOf(client, target);
  if (before === undefined) return undefined;
  const original = await readClientConfig(backupOfHooks(file));
  return explainingErrors(client, file, () => {
    const plan = { ...place, client, file, before, outcome: 'removed' } as const;
    if (before.startsWith(ownFileMark)) return { ...plan, after: undefined };
    if (file.endsWith('.js')) return undefined;
    const found = readHooks(before);
    if (found.length === 0) return undefined;
    return { ...plan, after: withoutOurs(client, before, found, original) };
  });
}

/** The file as it was if nobody else has changed it since; undefined if there was none. Else only our hooks go. */
function withoutOurs(
  client: HookClient,
  before: string,
  found: readonly HookItem[],
  original: string | undefined,
): string | undefined {
  if (found.length === 0) return before;
  const isOnlyOurs = before === addHooks(original ?? '', found, hookFiles[client].newFile);
  return isOnlyOurs ? original : removeHooks(before);
}

async function placeOf(
  client: HookClient,
  { machine, project }: Target,
): Promise<Pick<Plan, 'file' | 'before' | 'backup' | 'what'>> {
  const { projectFile, userFile } = hookFiles[client];
  const file = await resolveTarget(project ? projectFile(machine) : userFile(machine));
  return { file, before: await readClientConfig(file), backup: backupOfHooks(file), what: 'hooks' };
}

function sameItems(found: readonly HookItem[], wanted: readonly HookItem[]): boolean {
  const text = (items: readonly HookItem[]) =>
    items
      .map((item) => JSON.stringify(item))
      .sort()
      .join('\n');
  return text(found) === text(wanted);
}

function notOurs(file: string): TrellisError {
  return new TrellisError('INVALID_ARGUMENT', `${file} is not from Trellis. Nothing was changed.`, {
    hint: 'Rename it, then run the command again.',
  });
}
