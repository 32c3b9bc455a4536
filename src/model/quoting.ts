const maxLength = 200;

/** A name from a request for use in a message: quoted, on one line, truncated. */
export function quoteName(name: string): string {
  return JSON.stringify(name.length > maxLength ? `${name.slice(0, maxLength)}…` : name);
}

export const maxNamesListed = 50;

export function listNames(names: readonly string[]): string {
  const listed = names.slice(0, maxNamesListed).join(', ');
  return names.length > maxNamesListed ? `${listed} and ${names.length - maxNamesListed} more` : listed;
}

export function shellQuote(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** For example `entities[2].name`. */
export function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) =>
      typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${String(step)}`,
    )
    .join('');
}
