import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const source = fileURLToPath(new URL('../../src', import.meta.url));

/** The packages a module loads before it does anything: its own imports, and those of what it imports. */
function packagesLoadedBy(file: string, seen = new Set<string>()): Set<string> {
  const packages = new Set<string>();
  if (seen.has(file)) return packages;
  seen.add(file);
  const imports = /^(?:import|export) (?!type\b)(?:[^'"]*? from )?['"]([^'"]+)['"]/gms;
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(imports)) {
    if (!name.startsWith('.')) packages.add(name);
    else {
      const inner = packagesLoadedBy(join(dirname(file), name.replace(/\.js$/, '.ts')), seen);
      for (const found of inner) packages.add(found);
    }
  }
  return packages;
}

test.each(['cli/main.ts', 'cli/stdio-command.ts', 'cli/serve-command.ts', 'access/open-access-control.ts'])(
  '%s loads neither Cedar nor the parts for OIDC before they are needed',
  (file) => {
    const packages = packagesLoadedBy(join(source, file));
    expect(packages).not.toContain('jose');
    expect(packages).not.toContain('@cedar-policy/cedar-wasm/nodejs');
  },
);

test('the modules that need them do load them, so the search finds what it looks for', () => {
  expect(packagesLoadedBy(join(source, 'access/oidc/oidc-authenticator.ts'))).toContain('jose');
  expect(packagesLoadedBy(join(source, 'cli/main.ts'))).toContain('commander');
});
