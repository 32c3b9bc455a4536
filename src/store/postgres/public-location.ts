/** A postgres URL as people may see it: without its password, and without options that may hold secrets. */
export function publicLocation(url: string): string {
  try {
    const { protocol, username, host, pathname } = new URL(url);
    return `${protocol}//${username === '' ? '' : `${username}@`}${host}${pathname}`;
  } catch {
    return 'the PostgreSQL URL';
  }
}
