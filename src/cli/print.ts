export function print(output: string | object): void {
  process.stdout.write(`${typeof output === 'string' ? output : JSON.stringify(output, null, 2)}\n`);
}

export function note(line: string): void {
  process.stderr.write(`trellis: ${line}\n`);
}
