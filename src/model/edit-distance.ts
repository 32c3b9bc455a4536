/** Letters to insert, remove, replace or swap; infinite beyond `max`, so that long texts are not compared in full. */
export function editDistance(a: string, b: string, max: number): number {
  if (max === 0 || Math.abs(a.length - b.length) > max) return Number.POSITIVE_INFINITY;
  let twoAbove: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = at(above, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swapped = isSwap ? at(twoAbove, column - 2) + 1 : Number.POSITIVE_INFINITY;
      line.push(Math.min(at(above, column) + 1, at(line, column - 1) + 1, replaced, swapped));
    }
    if (Math.min(...line) > max) return Number.POSITIVE_INFINITY;
    twoAbove = above;
    above = line;
  }
  return at(above, b.length) <= max ? at(above, b.length) : Number.POSITIVE_INFINITY;
}

function at(line: readonly number[], column: number): number {
  return line[column] ?? Number.POSITIVE_INFINITY;
}
