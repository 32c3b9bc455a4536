/** A message stays readable however many names it is about. */
export const namesListed = 50;

/** The first names, and how many more there are. */
export function listNames(names: readonly string[]): string {
  const listed = names.slice(0, namesListed).join(', ');
  return names.length > namesListed ? `${listed} and ${names.length - namesListed} more` : listed;
}
