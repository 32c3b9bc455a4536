import type { HonoRequest } from 'hono';
import { TrellisError } from '../../../model/error.js';

/** The header of Omnigraph's clients. */
export const graphCommitHeader = 'Omnigraph-If-Graph-Commit';

/** Headers that name the commit on which a write was prepared. */
export const commitHeaders = ['If-Match', graphCommitHeader] as const;

/** Harmless on a read, which may always answer in full. */
const readHeaders = ['If-None-Match', 'If-Modified-Since', 'If-Range'];

/** A write that ignores its condition is the write its sender wanted to prevent. */
export function refuseConditions(request: HonoRequest, understood: readonly string[] = []): void {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const harmless = [...understood, ...(isRead ? readHeaders : [])].map((name) => name.toLowerCase());
  for (const name of Object.keys(request.header())) {
    if (!/^(omnigraph-)?if-/.test(name) || harmless.includes(name)) continue;
    throw new TrellisError(
      'INVALID_ARGUMENT',
      `This route does not understand the header ${spelled(name)}.`,
      {
        hint: `Nothing was done. Leave it out; writes that take if_commit understand ${commitHeaders.join(' and ')}.`,
      },
    );
  }
}

/** As headers are written: If-Match. */
function spelled(name: string): string {
  return name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

/** The commit that the headers name, if any. */
export function commitInHeaders(request: HonoRequest, isRequired: boolean): string | undefined {
  refuseConditions(request, commitHeaders);
  const [first, ...others] = commitHeaders.flatMap((name) => {
    const value = request.header(name);
    return value === undefined ? [] : [parseCommit(name, value)];
  });
  if (others.some((other) => other !== first))
    throw new TrellisError('INVALID_ARGUMENT', 'Two headers name different commits.', {
      hint: `Nothing was done. Send one of ${commitHeaders.join(' and ')}.`,
    });
  if (first === undefined && isRequired)
    throw new TrellisError('INVALID_ARGUMENT', `This route needs the header ${graphCommitHeader}.`, {
      hint: 'Nothing was done. Name the commit that you read, or use the route without a condition.',
    });
  return first;
}

/** One id, as it is or as a strong entity tag. */
function parseCommit(name: string, value: string): string {
  const [, quoted, plain] = /^\s*(?:"([\w-]+)"|([\w-]+))\s*$/.exec(value) ?? [];
  const commit = quoted ?? plain;
  if (commit !== undefined) return commit;
  throw new TrellisError('INVALID_ARGUMENT', `${name} must be the id of one commit.`, {
    hint: `Nothing was done. Write ${name}: "01M7H326YX650113HRX1HJH7CW"; *, weak tags and lists are not supported.`,
  });
}
