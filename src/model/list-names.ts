/** A message stays readable however many names it is about. */
const namesListed = 50;

export function listNames(names: readonly string[]): string {
  const listed = names.slice(0, namesListed).join(', ');
  return names.length > namesListed ? `${listed} and ${names.length - namesListed} more` : listed;
}
