/** Where a word ends inside one run of letters: `current|Location`, `home|URL`, `URL|Parser`, but not `URLs`. */
const wordEnds = /(?<=[\p{Ll}\p{Lo}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}(?!s(?!\p{Ll}))\p{Ll})/gu;

/** The metadata key of a property: `currentLocation` and `current_location` become `Current Location`. */
export function titleCase(property: string): string {
  return property
    .replace(wordEnds, ' ')
    .split(/[\s._-]+/u)
    .filter((word) => word !== '')
    .map(capitalise)
    .join(' ');
}

function capitalise(word: string): string {
  const [first = ''] = word;
  const upper = first.toUpperCase();
  // Some letters have no single capital: `ß`, `ŉ`.
  return upper.length === first.length ? upper + word.slice(first.length) : word;
}
