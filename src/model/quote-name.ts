/** How much of a name that somebody sent is repeated. */
const maxLength = 200;

/** A name that somebody sent as a message repeats it: in quotes, on one line, and not at any length. */
export function quoteName(name: string): string {
  return JSON.stringify(name.length > maxLength ? `${name.slice(0, maxLength)}…` : name);
}
