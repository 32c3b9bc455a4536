/**
 * Proxies, routers and URL parsers read such paths differently, so what one lets through could mean another path to the
 * next. `%2F` in a name is fine.
 */
export function targetProblem(target = ''): string | undefined {
  if (!target.startsWith('/')) return 'it must be a path, not a whole address';
  const [path = ''] = target.split(/[?#]/, 1);
  if (path.includes('//')) return 'it has an empty segment (//)';
  if (path.includes('\\')) return 'it has a backslash';
  const decoded = decodedOrUndefined(path);
  if (decoded === undefined) return 'its percent-encoding is not valid UTF-8';
  if (decoded.includes('\0')) return 'it has a NUL character';
  if (path.split('/').some((segment) => /^(\.|%2e){1,2}$/i.test(segment))) return 'it has a dot segment';
  return undefined;
}

function decodedOrUndefined(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
