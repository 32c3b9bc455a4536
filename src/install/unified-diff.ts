import type { Plan } from './plan.js';

const contextLines = 3;

/** The change to one file as a unified diff; edits are in one place, so it has one hunk. */
export function unifiedDiff({ file, before, after }: Plan): string {
  if (before === after) return '';
  const old = linesOf(before);
  const now = linesOf(after);
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const from = Math.max(0, start - contextLines);
  const to = Math.max(0, end - contextLines);
  const hunk = [
    ...old.slice(from, start).map((line) => ` ${line}`),
    ...old.slice(start, old.length - end).map((line) => `-${line}`),
    ...now.slice(start, now.length - end).map((line) => `+${line}`),
    ...old.slice(old.length - end, old.length - to).map((line) => ` ${line}`),
  ];
  return [
    `--- ${before === undefined ? '/dev/null' : file}`,
    `+++ ${after === undefined ? '/dev/null' : file}`,
    `@@ -${range(from, old.length - to)} +${range(from, now.length - to)} @@`,
    ...hunk,
  ].join('\n');
}

function linesOf(text: string | undefined): readonly string[] {
  if (text === undefined || text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') return lines.slice(0, -1);
  return [...lines.slice(0, -1), `${lines.at(-1)}\n\\ No newline at end of file`];
}

function range(from: number, to: number): string {
  return `${to === from ? from : from + 1},${to - from}`;
}
