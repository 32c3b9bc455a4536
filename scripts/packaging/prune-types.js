// @ts-check
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/**
 * Deletes the types that no export of the package leads to. They are nine tenths of its files, and nobody can import
 * them.
 * @param {string} root the folder of package.json
 */
export function pruneTypes(root) {
  /** @type {{ exports: Record<string, string | { types: string }> }} */
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  /** @type {Set<string>} */
  const reachable = new Set();
  for (const target of Object.values(exports)) {
    if (typeof target !== 'string') collect(resolve(root, target.types), reachable);
  }
  const compiled = join(root, 'dist');
  for (const file of readdirSync(compiled, { recursive: true, encoding: 'utf8' })) {
    const path = join(compiled, file);
    if (file.endsWith('.d.ts') && !reachable.has(path)) rmSync(path);
  }
}

/**
 * @param {string} file
 * @param {Set<string>} reachable
 */
function collect(file, reachable) {
  if (reachable.has(file)) return;
  reachable.add(file);
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(
    /(?:from|import\(?)\s*['"](\.[^'"]+)\.js['"]/g,
  )) {
    collect(join(dirname(file), `${name}.d.ts`), reachable);
  }
}
