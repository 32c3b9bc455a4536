import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'trellis-hooks-'));

// A repository with our settings and hooks, and one module.
beforeAll(() => {
  for (const file of ['package.json', 'biome.json', 'tsconfig.json', 'tsconfig.build.json', '.gitignore'])
    cpSync(file, join(folder, file));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'), 'junction');
  mkdirSync(join(folder, 'src'));
  git('init', '--quiet');
  git('config', 'core.hooksPath', resolve('scripts'));
  git('config', 'user.name', 'Ann');
  git('config', 'user.email', 'ann@example.com');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function git(...args: readonly string[]): void {
  execFileSync('git', args, { cwd: folder });
}

/** Commits this text as the module, and says what the hooks said, or 'committed'. */
function commit(module: string, message = 'Add a module'): string {
  writeFileSync(join(folder, 'src', 'module.ts'), module);
  git('add', 'src/module.ts');
  const { status, stdout, stderr } = spawnSync('git', ['commit', '--quiet', '-m', message], {
    cwd: folder,
    encoding: 'utf8',
  });
  return status === 0 ? 'committed' : stdout + stderr;
}

test('the hooks let a sound commit through', () => {
  expect(commit('export const one = 1;\n')).toBe('committed');
});

test.each([
  ['a file that is not formatted', 'export const two   = "2"\n', 'src/module.ts format'],
  ['a fault of the linter', "import 'fs';\n\nexport const two = 2;\n", 'useNodejsImportProtocol'],
  ['a wrong type', "export const two: number = 'two';\n", 'TS2322'],
  ['a conflict marker', '<<<<<<< HEAD\nexport const two = 2;\n', 'leftover conflict marker'],
])('pre-commit refuses %s', (_, module, fault) => {
  expect(commit(module)).toContain(fault);
});

test('commit-msg refuses a subject of more than 72 characters', () => {
  const module = 'export const three = 3;\n';
  expect(commit(module, `Add ${'x'.repeat(69)}`)).toContain('The subject has 73 characters; at most 72 fit.');
  expect(commit(module, `Add ${'x'.repeat(68)}\n\n${'Because it is needed. '.repeat(5)}`)).toBe('committed');
});
