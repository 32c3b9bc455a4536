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

/** How many letters have to be put in, left out or replaced to make one word of the other. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
