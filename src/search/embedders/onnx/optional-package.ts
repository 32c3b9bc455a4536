import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Loads a package that is not a dependency, from beside Trellis or `NODE_PATH`; undefined if it is not installed. */
export function loadOptional<T>(name: string): T | undefined {
  let path: string;
  try {
    path = require.resolve(name);
  } catch {
    return undefined;
  }
  const loaded: T = require(path);
  return loaded;
}
