import { withoutControls } from './history/printable.js';

export function print(output: string | object): void {
  process.stdout.write(
    `${typeof output === 'string' ? withoutControls(output) : JSON.stringify(output, null, 2)}\n`,
  );
}

export function note(line: string): void {
  process.stderr.write(`trellis: ${withoutControls(line)}\n`);
}

/** A number with its noun: `1 node`, `2 nodes`. */
export function pluralize(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
