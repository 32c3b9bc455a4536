import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const src = fileURLToPath(new URL('../../src/', import.meta.url));

/** Every module of src/ but the tests, as a path from there with slashes. */
export const modules: readonly string[] = readdirSync(src, { encoding: 'utf8', recursive: true })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => name.replaceAll('\\', '/'))
  .sort();

export function sourceOf(module: string): string {
  return readFileSync(join(src, module), 'utf8');
}

/**
 * The modules of src/ that a module loads before it runs. `import type` does not count, because the compiler erases it:
 * two modules may know each other's types. `import()` does not either, because it loads a module later.
 */
export function importsOf(module: string): string[] {
  const statements = sourceOf(module).matchAll(
    /^(?:import|export)\b(?! type\b)[^;'"]*?['"](\.[^'"]+)\.js['"]/gm,
  );
  return Array.from(statements, ([, path = '']) =>
    normalize(join(dirname(module), `${path}.ts`)).replaceAll('\\', '/'),
  );
}
