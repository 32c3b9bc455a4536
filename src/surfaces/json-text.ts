import { TimeSlice } from '../bounds/time-slice.js';

/** JSON as every text block shows it. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** Values that are printed at once; more let others have their turns meanwhile. */
const syncValueLimit = 2_000;

/** The same text, for answers of any size: others have their turns while a long one is printed. */
export async function jsonTextAsync(value: unknown): Promise<string> {
  if (countValues(value, syncValueLimit) < syncValueLimit) return jsonText(value);
  const turns = new TimeSlice();
  const text = await printInSlices(value, '\n', turns);
  // Whoever sends it prints it once more, as part of a message.
  await turns.yieldToOthers();
  return text;
}

/** A value as `JSON.stringify` prints it behind an indentation, which begins with the line break. */
async function printInSlices(value: unknown, indentation: string, turns: TimeSlice): Promise<string> {
  if (turns.isOver) await turns.yieldToOthers();
  if (typeof value !== 'object' || value === null || countValues(value, syncValueLimit) < syncValueLimit)
    return indent(jsonText(value), indentation);
  const inner = `${indentation}  `;
  const parts: string[] = [];
  if (Array.isArray(value)) {
    for (const item of value) parts.push(await printInSlices(item, inner, turns));
    return `[${inner}${parts.join(`,${inner}`)}${indentation}]`;
  }
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined)
      parts.push(`${JSON.stringify(key)}: ${await printInSlices(member, inner, turns)}`);
  }
  return `{${inner}${parts.join(`,${inner}`)}${indentation}}`;
}

/** Line breaks within texts are escaped, so those that are there begin a line. */
function indent(text: string, indentation: string): string {
  return indentation === '\n' ? text : text.replaceAll('\n', indentation);
}

/** How many values there are in a value, counted no further than `most`. */
function countValues(value: unknown, most: number): number {
  if (typeof value === 'string') return 1 + Math.floor(value.length / 1_000);
  if (typeof value !== 'object' || value === null) return 1;
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  let count = 1;
  for (let at = 0; at < members.length && count < most; at++) count += countValues(members[at], most - count);
  return count;
}
