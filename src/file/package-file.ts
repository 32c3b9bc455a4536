/**
 * A file of the package, by its path from the package root: two folders above src/file, dist/file and dist/bundle
 * alike.
 */
export function packageFile(path: string): URL {
  return new URL(`../../${path}`, import.meta.url);
}
