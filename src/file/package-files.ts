/**
 * A file of the package, by its path from the package root: two folders above src/file, dist/file and dist/bundle
 * alike.
 */
export function packageFile(path: string): URL {
  return new URL(`../../${path}`, import.meta.url);
}

/**
 * Where a program lies that runs beside this one, in a process or a thread of its own. Tests run from the sources, which
 * a bare Node cannot: what was built from them is the same.
 *
 * @param module The address of the module that asks.
 * @param name Relative to it, ending in `.js`.
 */
export function programFile(module: string, name: string): URL {
  return new URL(name, module.replace(/\/src\/(?=[^?]*\.ts$)/, '/dist/'));
}
