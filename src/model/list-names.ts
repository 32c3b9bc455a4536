/** A message stays readable however many names it is about. */
export const maxNamesListed = 50;

/** The first names, and how many more there are. */
export function listNames(names: readonly string[]): string {
  const listed = names.slice(0, maxNamesListed).join(', ');
  return names.length > maxNamesListed ? `${listed} and ${names.length - maxNamesListed} more` : listed;
}
