import { describe, expect, test } from 'vitest';
import { targetProblem } from './request-target.js';

describe('trust 36: the path of a request', () => {
  test.each([
    '/',
    '/mcp',
    '/graphs/work/memory/mcp?branch=a//b/../c',
    '/sse/messages/?sessionId=1',
    '/graphs/team%2Fa/mcp',
    '/graphs/work/branches/review/ann',
    '/graphs/a..b/mcp',
    '/graphs/.../mcp',
    '/.well-known/oauth-protected-resource/mcp',
    '/graphs/%C3%A9t%C3%A9/mcp',
  ])('%s is fine', (target) => {
    expect(targetProblem(target)).toBeUndefined();
  });

  test.each([
    ['//evil.example/mcp', /empty segment/],
    ['/.well-known/oauth-protected-resource//evil.example/mcp', /empty segment/],
    ['/graphs//mcp', /empty segment/],
    ['/graphs/../mcp', /dot segment/],
    ['/graphs/%2e%2E/mcp', /dot segment/],
    ['/graphs/.%2e/mcp', /dot segment/],
    ['/graphs/work/.', /dot segment/],
    ['/graphs/%2e', /dot segment/],
    ['/graphs\\..\\mcp', /backslash/],
    ['/graphs/a%00b/mcp', /NUL/],
    ['/graphs/%ff/mcp', /percent-encoding/],
    ['/graphs/%zz/mcp', /percent-encoding/],
    ['http://evil.example/mcp', /whole address/],
    ['*', /must be a path/],
    [undefined, /must be a path/],
  ])('%s is refused', (target, problem) => {
    expect(targetProblem(target)).toMatch(problem);
  });
});
