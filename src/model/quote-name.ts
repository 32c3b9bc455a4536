const maxLength = 200;

/** A name from a request for use in a message: quoted, on one line, truncated. */
export function quoteName(name: string): string {
  return JSON.stringify(name.length > maxLength ? `${name.slice(0, maxLength)}…` : name);
}
