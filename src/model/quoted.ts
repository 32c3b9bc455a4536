/** How much of a name that somebody sent is repeated. */
const longest = 200;

/** A name that somebody sent as a message repeats it: in quotes, on one line, and not at any length. */
export function quoted(name: string): string {
  return JSON.stringify(name.length > longest ? `${name.slice(0, longest)}…` : name);
}
