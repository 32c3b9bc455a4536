/** The one of `names` that was most likely meant, or undefined if none is close. */
export function nearest(meant: string, names: Iterable<string>): string | undefined {
  const word = meant.slice(0, longestCompared).toLowerCase();
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of names) {
    const distance = editDistance(word, name.toLowerCase());
    if (distance <= tolerance(word) && (best === undefined || distance < best.distance))
      best = { name, distance };
  }
  return best?.name;
}

/** ` Did you mean "rules"?`, or nothing: to be put after a message. */
export function didYouMean(meant: string, names: Iterable<string>): string {
  const name = nearest(meant, names);
  return name === undefined ? '' : ` Did you mean ${JSON.stringify(name)}?`;
}

/** Whoever writes more than this has not mistyped a name. */
const longestCompared = 64;

function tolerance(word: string): number {
  return Math.max(1, Math.floor(word.length / 3));
}

/** How many letters have to be put in, left out, replaced, or swapped with the next to make one word of the other. */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  const at = (i: number, j: number) => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          at(i - 1, j - 1) + same,
          at(i - 1, j) + 1,
          at(i, j - 1) + 1,
          swapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return at(a.length, b.length);
}
