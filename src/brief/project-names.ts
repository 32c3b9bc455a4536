import { open } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { isReachable } from '../file/path-exists.js';

const maxParents = 32;
const maxConfigBytes = 65_536;

/**
 * What the node of the project in a folder may be called: the repository of its remote, as `owner/name` and `name`,
 * then the folder of the repository, then the folder itself.
 */
export async function projectNames(folder: string): Promise<readonly string[]> {
  const start = resolve(folder);
  const root = await repositoryOf(start);
  const names =
    root === undefined ? [basename(start)] : [...(await remoteNames(root)), basename(root), basename(start)];
  return [...new Set(names)].filter((name) => name !== '');
}

async function repositoryOf(start: string): Promise<string | undefined> {
  let folder = start;
  for (let step = 0; step < maxParents; step += 1) {
    if (await isReachable(join(folder, '.git'))) return folder;
    if (dirname(folder) === folder) return undefined;
    folder = dirname(folder);
  }
  return undefined;
}

/** Of `origin`, else of the first remote; none in a worktree, whose configuration is elsewhere. */
async function remoteNames(root: string): Promise<readonly string[]> {
  const config = await readStart(join(root, '.git', 'config'));
  const remotes = [...config.matchAll(/^\[remote "([^"\n]+)"\][^[]*?^[ \t]*url[ \t]*=[ \t]*(\S+)/gm)];
  const [, , url = ''] = remotes.find(([, name]) => name === 'origin') ?? remotes[0] ?? [];
  const path = /[/:]([^/:]+)\/([^/:]+?)(?:\.git)?\/?$/.exec(url);
  const [, owner, name] = path ?? [];
  return owner === undefined || name === undefined ? [] : [`${owner}/${name}`, name];
}

async function readStart(path: string): Promise<string> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return '';
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(maxConfigBytes), 0, maxConfigBytes, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
