import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ownCommand } from '../../src/install/own-command.js';

const readme = readFileSync('README.md', 'utf8');
const script = '/home/ann/.npm/_npx/1/node_modules/trellis-memory/dist/bundle/trellis.js';
const byNpx = ownCommand(['stdio'], { execPath: '/usr/bin/node', platform: 'linux', path: '', script });

/** The query of the link in the README that begins so. */
function queryOf(start: string): URLSearchParams {
  const link = readme.split('](').find((part) => part.startsWith(start)) ?? '';
  return new URL(link.slice(0, link.indexOf(')'))).searchParams;
}

test('the button for Cursor installs what npx would', () => {
  const query = queryOf('https://cursor.com/en/install-mcp?');
  expect(query.get('name')).toBe('trellis');
  expect(JSON.parse(Buffer.from(query.get('config') ?? '', 'base64').toString())).toEqual(byNpx);
});

test('the button for VS Code installs what npx would', () => {
  const query = queryOf('https://vscode.dev/redirect/mcp/install?');
  expect(query.get('name')).toBe('trellis');
  expect(JSON.parse(query.get('config') ?? '')).toEqual({ type: 'stdio', ...byNpx });
});
