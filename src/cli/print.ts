/** Prints a line for people, or an object for programs. */
export function print(output: string | object): void {
  process.stdout.write(`${typeof output === 'string' ? output : JSON.stringify(output, null, 2)}\n`);
}

/** Says something beside the result. */
export function note(line: string): void {
  process.stderr.write(`trellis: ${line}\n`);
}
