import { TimeSlice } from '../bounds/time-slice.js';

export function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** Larger values are printed in time slices. */
const syncValueLimit = 2_000;

/** The same text; a long one lets other work run meanwhile. */
export async function jsonTextAsync(value: unknown): Promise<string> {
  if (countValues(value, syncValueLimit) < syncValueLimit) return jsonText(value);
  const slice = new TimeSlice();
  const text = await printInSlices(value, '\n', slice);
  // The sender prints it once more, as part of a message.
  await slice.yieldToOthers();
  return text;
}

/** `indentation` includes the line break. */
async function printInSlices(value: unknown, indentation: string, slice: TimeSlice): Promise<string> {
  if (slice.isOver) await slice.yieldToOthers();
  if (typeof value !== 'object' || value === null || countValues(value, syncValueLimit) < syncValueLimit)
    return indent(jsonText(value), indentation);
  const inner = `${indentation}  `;
  const parts: string[] = [];
  if (Array.isArray(value)) {
    for (const item of value) parts.push(await printInSlices(item, inner, slice));
    return `[${inner}${parts.join(`,${inner}`)}${indentation}]`;
  }
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined)
      parts.push(`${JSON.stringify(key)}: ${await printInSlices(member, inner, slice)}`);
  }
  return `{${inner}${parts.join(`,${inner}`)}${indentation}}`;
}

/** Line breaks within strings are escaped, so every real one starts a line. */
function indent(text: string, indentation: string): string {
  return indentation === '\n' ? text : text.replaceAll('\n', indentation);
}

/** Stops counting at `most`. */
export function countValues(value: unknown, most: number): number {
  if (typeof value === 'string') return 1 + Math.floor(value.length / 1_000);
  if (typeof value !== 'object' || value === null) return 1;
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  let count = 1;
  for (let at = 0; at < members.length && count < most; at++) count += countValues(members[at], most - count);
  return count;
}
