import { headBits } from './bit-distances.js';

/** Each node is at home in the cell of the nearest pivot, a node itself; the rows of a cell follow each other. */
export function groupByCell(
  homes: Uint32Array,
  cells: number,
): { readonly rows: Uint32Array; readonly starts: Uint32Array } {
  const starts = new Uint32Array(cells + 1);
  for (const home of homes) starts[home + 1] = (starts[home + 1] ?? 0) + 1;
  for (let cell = 0; cell < cells; cell++) starts[cell + 1] = (starts[cell + 1] ?? 0) + (starts[cell] ?? 0);
  const next = starts.slice();
  const rows = new Uint32Array(homes.length);
  for (let x = 0; x < homes.length; x++) {
    const home = homes[x] ?? 0;
    rows[next[home] ?? 0] = x;
    next[home] = (next[home] ?? 0) + 1;
  }
  return { rows, starts };
}

/** The cells at the lowest distances that have at least so many rows together. */
export function nearestCells(distances: Uint32Array, starts: Uint32Array, rows: number): Uint32Array {
  const byDistance = new Uint32Array(headBits + 1);
  for (let cell = 0; cell < distances.length; cell++) {
    const distance = distances[cell] ?? 0;
    byDistance[distance] = (byDistance[distance] ?? 0) + (starts[cell + 1] ?? 0) - (starts[cell] ?? 0);
  }
  let [most, within] = [0, byDistance[0] ?? 0];
  while (within < rows && most < headBits) {
    most += 1;
    within += byDistance[most] ?? 0;
  }
  const found = new Uint32Array(distances.length);
  let count = 0;
  for (let cell = 0; cell < distances.length; cell++)
    if ((distances[cell] ?? 0) <= most) found[count++] = cell;
  return found.subarray(0, count);
}

export function indexOfLowest(numbers: Uint32Array): number {
  let lowest = 0;
  for (let at = 1; at < numbers.length; at++) if ((numbers[at] ?? 0) < (numbers[lowest] ?? 0)) lowest = at;
  return lowest;
}
