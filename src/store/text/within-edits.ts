const surrogate = /[\ud800-\udfff]/;

/** Whether one word becomes another by inserting, removing or replacing at most so many letters. */
export function isWithinEdits(a: string, b: string, most: number): boolean {
  if (a === b) return true;
  // A letter is one or two units of a string.
  if (b.length > 2 * (a.length + most) || a.length > 2 * (b.length + most)) return false;
  return surrogate.test(a) || surrogate.test(b)
    ? isWithin(codePoints(a), codePoints(b), most)
    : isWithin(a, b, most);
}

function codePoints(word: string): readonly string[] {
  return Array.from(word);
}

type Letters = string | readonly string[];

/** Compares only what is left between a common beginning and a common end. */
function isWithin(a: Letters, b: Letters, most: number): boolean {
  if (Math.abs(a.length - b.length) > most) return false;
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA -= 1;
    endB -= 1;
  }
  const longest = Math.max(endA, endB) - start;
  if (longest <= most) return true;
  if (Math.min(endA, endB) === start || most <= 1) return false;
  return distance(a, b, start, endA, endB, most) <= most;
}

/** The rows of the table of distances, reused because most words are compared with thousands of others. */
let above: number[] = [];
let current: number[] = [];

/** Anything above `most` means more. */
function distance(a: Letters, b: Letters, start: number, endA: number, endB: number, most: number): number {
  const width = endB - start;
  for (let column = 0; column <= width; column++) above[column] = column;
  for (let row = 1; row <= endA - start; row++) {
    current[0] = row;
    let least = row;
    for (let column = 1; column <= width; column++) {
      const isSame = a[start + row - 1] === b[start + column - 1];
      const replaced = (above[column - 1] ?? 0) + (isSame ? 0 : 1);
      const shifted = Math.min(above[column] ?? 0, current[column - 1] ?? 0) + 1;
      const cell = replaced < shifted ? replaced : shifted;
      current[column] = cell;
      if (cell < least) least = cell;
    }
    if (least > most) return least;
    [above, current] = [current, above];
  }
  return above[width] ?? 0;
}
