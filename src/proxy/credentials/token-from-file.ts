import { stat } from 'node:fs/promises';
import { readTextFile } from '../../file/read-text-file.js';
import { TrellisError } from '../../model/error.js';
import { proxyLimits } from '../../model/limits.js';
import { parseToken } from './parse-token.js';

export async function tokenFromFile(path: string, server: string): Promise<string | undefined> {
  if (!(await fileExists(path))) return undefined;
  await requirePrivateFile(path);
  const text = await readTextFile(path, proxyLimits.credentialBytes);
  const token = sectionsOf(text, path).get(server);
  return token === undefined ? undefined : parseToken(token, `[${server}] in ${path}`);
}

/** `token = …` below `[name]`; errors give line numbers and never show lines. */
function sectionsOf(text: string, path: string): ReadonlyMap<string, string> {
  const sections = new Map<string, string>();
  let section: string | undefined;
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue;
    const head = /^\[([^\]]+)\]$/.exec(line)?.[1]?.trim();
    const token = /^token\s*=\s*(\S+)$/.exec(line)?.[1];
    if (head !== undefined) section = head;
    else if (token !== undefined && section !== undefined && !sections.has(section))
      sections.set(section, token);
    else throw unreadableLine(path, index + 1);
  }
  return sections;
}

function unreadableLine(path: string, line: number): TrellisError {
  return new TrellisError('CREDENTIALS_UNAVAILABLE', `${path}:${line} cannot be read.`, {
    hint: 'Write the name of each server as [name], and below it one line: token = …',
  });
}

async function fileExists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Whoever reads the file can impersonate the user. */
async function requirePrivateFile(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const { mode, uid } = await stat(path);
  const mine = uid === process.getuid?.() || process.getuid?.() === undefined;
  if (mine && (mode & 0o077) === 0) return;
  throw new TrellisError(
    'CREDENTIALS_UNAVAILABLE',
    mine ? `${path} is accessible to other users.` : `${path} belongs to somebody else.`,
    {
      hint: mine
        ? `Keep it to yourself: chmod 600 ${path}`
        : 'Write one of your own; docs/proxy.md says how it looks.',
    },
  );
}
