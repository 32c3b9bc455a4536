const separator = ', ';

/** One way to read the text from some place on: the names found in it, and how many characters they account for. */
interface Segmentation {
  readonly covered: number;
  readonly name?: string;
  readonly rest?: Segmentation;
}

const emptySegmentation: Segmentation = { covered: 0 };

/**
 * Which of the targets a joined list names. Names may hold `, ` themselves, so the text cannot simply be split: of all
 * ways to read it, the one that explains most of it by targets counts.
 */
export function splitTargetNames(joined: string, targets: ReadonlySet<string>): readonly string[] {
  const lengths = [...new Set([...targets].map((name) => name.length))];
  const end = joined.length + separator.length;
  const best = new Map([[end, emptySegmentation]]);
  const starts = itemStarts(joined);
  for (const [index, start] of [...starts.entries()].reverse()) {
    let reading = best.get(starts[index + 1] ?? end) ?? emptySegmentation;
    for (const length of lengths) {
      const after = start + length;
      if (after !== joined.length && !joined.startsWith(separator, after)) continue;
      const name = joined.slice(start, after);
      const rest = best.get(after + separator.length) ?? emptySegmentation;
      if (targets.has(name) && rest.covered + length > reading.covered) {
        reading = { covered: rest.covered + length, name, rest };
      }
    }
    best.set(start, reading);
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

function namesOf(reading: Segmentation): readonly string[] {
  const names: string[] = [];
  for (let at: Segmentation | undefined = reading; at?.name !== undefined; at = at.rest) names.push(at.name);
  return names;
}
