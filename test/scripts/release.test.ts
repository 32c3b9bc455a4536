import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'trellis-release-'));
const tracked = [
  ...['package.json', 'package-lock.json', 'server.json', '.npmrc', '.gitignore'],
  ...['README.md', 'LICENSE', 'docs', 'schemas', 'plugins'],
];
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

// A repository that holds what a release looks at, at version 1.2.3. What a build makes is empty, so that it packs in
// no time, and the scripts only pass.
beforeAll(() => {
  for (const name of tracked) cpSync(name, join(folder, name), { recursive: true });
  const exported: readonly (string | Record<string, string>)[] = Object.values(manifest.exports);
  const targets = exported.flatMap((target) => (typeof target === 'string' ? [] : Object.values(target)));
  const built = [
    manifest.bin.trellis,
    ...targets,
    'dist/bundle/LICENSES.txt',
    'dist/bundle/web/index.html',
    'dist/bundle/explorer-app.html',
    'assets/trellis.yaml',
    'assets/static-model.bin',
  ];
  for (const name of built) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    write(name, '');
  }
  const passing = { check: 'node --version', test: 'node --version', prepack: 'node --version' };
  writePackage({ version: '1.2.3', scripts: passing });
  write('CHANGELOG.md', '# Changes\n\n## Unreleased\n\n### Added\n\n- Wings.\n\n## 1.2.3\n\n- Legs.\n');
  git('init', '--quiet', '--initial-branch', 'main');
  git('config', 'user.name', 'Ann');
  git('config', 'user.email', 'ann@example.com');
  commit('Begin');
  git('tag', 'beginning');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeEach(() => {
  git('checkout', '--quiet', '-B', 'main', 'beginning');
});

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trimEnd();
}

function commit(message: string): void {
  git('add', '--all');
  git('commit', '--quiet', '--message', message);
}

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

function read(name: string): string {
  return readFileSync(join(folder, name), 'utf8');
}

function writePackage(changes: object): void {
  write('package.json', `${JSON.stringify({ ...manifest, ...changes }, null, 2)}\n`);
}

function release(...args: readonly string[]): { status: number | null; out: string; err: string } {
  const script = resolve('scripts', 'release');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, out: stdout, err: stderr };
}

test('commits the version and the changelog, and tags them', () => {
  expect(release('minor')).toMatchObject({ status: 0, err: '' });
  expect(git('log', '-1', '--format=%s')).toBe('Release 1.3.0');
  expect(git('status', '--porcelain')).toBe('');
  expect(JSON.parse(read('package.json')).version).toBe('1.3.0');
  expect(JSON.parse(read('package-lock.json')).version).toBe('1.3.0');
  expect(JSON.parse(read('server.json'))).toMatchObject({
    version: '1.3.0',
    packages: [{ version: '1.3.0' }],
  });
  for (const file of ['claude-code/.claude-plugin/plugin.json', 'gemini-cli/gemini-extension.json'])
    expect(JSON.parse(read(`plugins/${file}`)).version).toBe('1.3.0');
  expect(read('CHANGELOG.md')).toMatch(
    /## Unreleased\n\n## 1\.3\.0 \(\d{4}-\d\d-\d\d\)\n\n### Added\n\n- Wings\.\n\n## 1\.2\.3\n/,
  );
  expect(git('tag', '--list', '--format=%(contents)', 'v1.3.0')).toBe('Release 1.3.0\n\nAdded\n\n- Wings.');
  expect(release('--notes', 'v1.3.0').out).toBe('### Added\n\n- Wings.\n');
  expect(release('--verify', 'v1.3.0')).toMatchObject({ status: 0, err: '' });
  expect(release('--verify', 'v1.4.0').err).toContain('package.json has version 1.3.0');
});

test('a dry run checks everything, and changes nothing', () => {
  const { status, out } = release('2.0.0', '--dry-run');
  expect({ status, lines: out.split('\n') }).toEqual({
    status: 0,
    lines: [
      '1.2.3 -> 2.0.0, changelog entries: 1',
      'The check passed.',
      'The tests passed.',
      expect.stringMatching(/^The package: \d+ files, [\d.]+ MB packed\.$/),
      'Nothing was changed. Without --dry-run: commit "Release 2.0.0", tag v2.0.0.',
      '',
    ],
  });
  expect(git('status', '--porcelain')).toBe('');
  expect(git('tag', '--list', 'v2.0.0')).toBe('');
});

test.each([
  ['1.2.3', '1.2.3 is not newer than 1.2.3'],
  ['1.1.9', '1.1.9 is not newer than 1.2.3'],
  ['next', '"next" is not a version'],
  ['--nope', "Unknown option '--nope'"],
])('refuses the version %s', (version, reason) => {
  expect(release(version)).toMatchObject({ status: 1, err: expect.stringContaining(reason) });
});

test('refuses a tree with changes, another branch, and a tag that exists', () => {
  write('notes.txt', 'mine');
  expect(release('patch').err).toContain('the working tree is not clean:\n?? notes.txt');
  rmSync(join(folder, 'notes.txt'));
  git('tag', 'v1.2.4');
  expect(release('patch').err).toContain('the tag v1.2.4 exists already');
  git('checkout', '--quiet', '-B', 'topic');
  expect(release('patch').err).toContain('releases are made on main, and this is topic');
});

test('refuses a release without changes to tell of', () => {
  write('CHANGELOG.md', '# Changes\n\n## Unreleased\n\n## 1.2.3\n\n- Legs.\n');
  commit('Forget what changed');
  expect(release('major').err).toContain('CHANGELOG.md lists nothing under "## Unreleased"');
});

test.each(['check', 'test'])('refuses a red %s', (name) => {
  const { scripts } = JSON.parse(read('package.json'));
  writePackage({ version: '1.2.3', scripts: { ...scripts, [name]: 'node -e "process.exit(1)"' } });
  commit('Break it');
  expect(release('2.0.0')).toMatchObject({
    status: 1,
    err: expect.stringMatching(/`npm (run )?\w+` failed/),
  });
  expect(git('log', '-1', '--format=%s')).toBe('Break it');
});

test('refuses a package that holds too much or too little', () => {
  const { scripts, files } = JSON.parse(read('package.json'));
  const wrong = [...files.filter((name: string) => name !== 'schemas'), 'accounts.db'];
  writePackage({ version: '1.2.3', scripts, files: wrong });
  write('accounts.db', 'secret');
  commit('Pack the wrong files');
  const { status, err } = release('2.0.0');
  expect(status).toBe(1);
  expect(err).toContain('unexpected: accounts.db');
  expect(err).toContain('missing: schemas/work/task.schema.json');
});
