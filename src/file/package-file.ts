/**
 * A file that comes with the package, by its path from the package's root. Two folders lie above this module in each of
 * its forms: src/file, dist/file and dist/bundle.
 */
export function packageFile(path: string): URL {
  return new URL(`../../${path}`, import.meta.url);
}
