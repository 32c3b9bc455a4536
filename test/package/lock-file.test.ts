import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface LockedPackage {
  readonly version: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const lock: { packages: Readonly<Record<string, LockedPackage>> } = JSON.parse(
  readFileSync('package-lock.json', 'utf8'),
);
const manifest: LockedPackage = JSON.parse(readFileSync('package.json', 'utf8'));
const locked = Object.entries(lock.packages).filter(([path]) => path !== '');

/** The locked package that `name` means to the package at `path`: the nearest `node_modules` that has it. */
function resolve(path: string, name: string): LockedPackage | undefined {
  const own = lock.packages[`${path}/node_modules/${name}`];
  const parent = path.slice(0, Math.max(path.lastIndexOf('/node_modules/'), 0));
  return own ?? (path === '' ? lock.packages[`node_modules/${name}`] : resolve(parent, name));
}

test('holds the packages of every platform, so that npm ci works on all of them', () => {
  const missing = locked.flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => resolve(path, name) === undefined),
  );
  expect(missing).toEqual([]);
  const platforms = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win32-arm64', 'win32-x64'];
  for (const platform of platforms) {
    expect(locked.map(([path]) => path)).toContain(`node_modules/@biomejs/cli-${platform}`);
    expect(locked.some(([path]) => path.includes(`@rolldown/binding-${platform}`))).toBe(true);
  }
});

test('names a checksum for every package, and no registry', () => {
  expect(locked.filter(([, { integrity }]) => integrity === undefined)).toEqual([]);
  expect(locked.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
});

test('agrees with package.json, which pins exact versions', () => {
  const wanted = { ...manifest.dependencies, ...manifest.devDependencies };
  const held = Object.keys(wanted).map((name) => [name, lock.packages[`node_modules/${name}`]?.version]);
  expect(Object.fromEntries(held)).toEqual(wanted);
});
