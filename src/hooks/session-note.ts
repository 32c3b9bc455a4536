import { isAbsolute, relative } from 'node:path';
import { isRecord } from '../model/is-record.js';
import { dropSecrets } from './drop-secrets.js';
import { callsIn, recordsIn, type TranscriptCall, toolTexts, userTexts } from './transcript-records.js';

/** What of a session is kept at most. */
export const noteLimits = { files: 40, commits: 20, sayings: 10, sayingLength: 400 } as const;

const searchedLength = 50 * noteLimits.sayingLength;

const editors = /edit|write|replace|patch|create_file|notebook/i;
const pathKeys = ['file_path', 'filePath', 'path', 'absolute_path', 'notebook_path', 'target_file'] as const;

/**
 * The observations that a transcript becomes: files touched, commits made, and what the user said. The same transcript
 * gives the same texts, so storing them again adds nothing.
 */
export function sessionNote(transcript: string, folder: string): readonly string[] {
  const files = new Set<string>();
  const commits = new Set<string>();
  const sayings: string[] = [];
  for (const record of recordsIn(transcript)) {
    for (const call of callsIn(record)) for (const file of filesOf(call)) files.add(shown(file, folder));
    for (const text of toolTexts(record)) for (const commit of commitsIn(text)) commits.add(commit);
    sayings.push(...userTexts(record));
  }
  const texts = [
    ...[...files].slice(-noteLimits.files).map((file) => `Changed the file ${file}`),
    ...[...commits].slice(-noteLimits.commits).map((commit) => `Made the commit ${commit}`),
    ...firstAndLast(sayings).map((text) => `The user said: ${text}`),
  ];
  // Cut twice: secrets are looked for in more than is kept, so that none is kept in part.
  return [...new Set(texts.map((text) => cut(oneLine(dropSecrets(text.slice(0, searchedLength))))))];
}

function filesOf({ tool, input }: TranscriptCall): readonly string[] {
  if (!editors.test(tool)) return [];
  if (typeof input === 'string')
    return [...input.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm)].flatMap(
      ([, file]) => file ?? [],
    );
  if (!isRecord(input)) return [];
  const patch = input['input'] ?? input['patch'];
  if (typeof patch === 'string') return filesOf({ tool, input: patch });
  return pathKeys.map((key) => input[key]).filter((path) => typeof path === 'string');
}

/** As `git commit` reports them: `[main 1a2b3c4] Subject`. */
function commitsIn(text: string): readonly string[] {
  return [...text.matchAll(/^\[[^\]\n]{1,200}? ([0-9a-f]{7,40})\] (.{1,200})$/gm)].map(
    ([, hash, subject]) => `${hash} ${subject}`,
  );
}

/** The first says what the session is about. */
function firstAndLast(sayings: readonly string[]): readonly string[] {
  if (sayings.length <= noteLimits.sayings) return sayings;
  return [...sayings.slice(0, 1), ...sayings.slice(1 - noteLimits.sayings)];
}

function shown(file: string, folder: string): string {
  const inside = isAbsolute(file) ? relative(folder, file) : file;
  return inside.startsWith('..') || isAbsolute(inside) || inside === '' ? file : inside;
}

function oneLine(text: string): string {
  return text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .toWellFormed();
}

function cut(text: string): string {
  const most = noteLimits.sayingLength;
  return text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;
}
