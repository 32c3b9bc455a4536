import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** A page of the documentation. */
export interface Page {
  /** From the root of the repository, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** Everything under docs/. */
export const docs: readonly Page[] = read('docs');

/** docs/, the pages beside it, and those of the examples. */
export const pages: readonly Page[] = [...read('', { deep: false }), ...docs, ...read('examples')];

export function page(path: string): Page {
  const found = pages.find((candidate) => candidate.path === path);
  if (found === undefined) throw new Error(`There is no ${path}.`);
  return found;
}

/** Whether a text has this word, and not only a longer one that contains it. */
export function mentions(text: string, word: string): boolean {
  return new RegExp(`(?<![\\w-])${word.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')}(?![\\w-])`).test(text);
}

/** The text under a heading, up to the next one of the same or a higher level; undefined if there is no such heading. */
export function section({ text }: Page, heading: string): string | undefined {
  const lines = withoutCode(text).split('\n');
  const start = lines.indexOf(heading);
  if (start === -1) return undefined;
  const level = heading.indexOf(' ');
  const length = lines.slice(start + 1).findIndex((line) => /^#+ /.test(line) && line.indexOf(' ') <= level);
  const end = length === -1 ? lines.length : start + 1 + length;
  return text
    .split('\n')
    .slice(start + 1, end)
    .join('\n');
}

export function headings({ text }: Page): string[] {
  return withoutCode(text)
    .split('\n')
    .filter((line) => /^#{1,6} /.test(line))
    .map((line) => line.replace(/^#+ /, ''));
}

/** The text with the lines of its code blocks emptied, so that line numbers stay. */
export function withoutCode(text: string): string {
  return text.replace(/^```.*?^```$/gms, (block) => block.replace(/[^\n]+/g, ''));
}

/** The lines of code blocks in this language, without comments. */
export function codeLines({ text }: Page, language: string): string[] {
  const blocks = [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].filter(([, name]) => name === language);
  return blocks
    .flatMap(([, , code = '']) => code.split('\n'))
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .filter((line) => line !== '');
}

function read(folder: string, { deep }: { deep: boolean } = { deep: true }): Page[] {
  return readdirSync(join(root, folder), { recursive: deep, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => join(folder, name))
    .map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(join(root, path), 'utf8') }));
}
