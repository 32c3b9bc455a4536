export const maxNamesListed = 50;

export function listNames(names: readonly string[]): string {
  const listed = names.slice(0, maxNamesListed).join(', ');
  return names.length > maxNamesListed ? `${listed} and ${names.length - maxNamesListed} more` : listed;
}
