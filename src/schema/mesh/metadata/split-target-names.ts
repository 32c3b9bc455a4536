const separator = ', ';

/** One way to split the rest of a text: its names, and how many characters they cover. */
interface Segmentation {
  readonly covered: number;
  readonly name?: string;
  readonly rest?: Segmentation;
}

const emptySegmentation: Segmentation = { covered: 0 };

/**
 * The targets that a joined list names. Names may contain `, ` themselves, so the text cannot simply be split: the split
 * that covers most of the text with targets wins.
 */
export function splitTargetNames(joined: string, targets: ReadonlySet<string>): readonly string[] {
  const lengths = [...new Set([...targets].map((name) => name.length))];
  const end = joined.length + separator.length;
  const best = new Map([[end, emptySegmentation]]);
  const starts = itemStarts(joined);
  for (const [index, start] of [...starts.entries()].reverse()) {
    let split = best.get(starts[index + 1] ?? end) ?? emptySegmentation;
    for (const length of lengths) {
      const after = start + length;
      if (after !== joined.length && !joined.startsWith(separator, after)) continue;
      const name = joined.slice(start, after);
      const rest = best.get(after + separator.length) ?? emptySegmentation;
      if (targets.has(name) && rest.covered + length > split.covered) {
        split = { covered: rest.covered + length, name, rest };
      }
    }
    best.set(start, split);
  }
  return namesOf(best.get(0) ?? emptySegmentation);
}

function itemStarts(joined: string): number[] {
  const starts = [0];
  for (let at = joined.indexOf(separator); at !== -1; at = joined.indexOf(separator, at + separator.length)) {
    starts.push(at + separator.length);
  }
  return starts;
}

function namesOf(split: Segmentation): readonly string[] {
  const names: string[] = [];
  for (let at: Segmentation | undefined = split; at?.name !== undefined; at = at.rest) names.push(at.name);
  return names;
}
