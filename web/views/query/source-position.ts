/** The server counts lines and columns from 1. */
export function offsetOf(source: string, line: number, column: number): number {
  const before = source.split('\n').slice(0, line - 1);
  return before.reduce((sum, text) => sum + text.length + 1, 0) + column - 1;
}

/** From 0. */
export function lineAndColumn(
  source: string,
  at: number,
): { readonly line: number; readonly column: number } {
  const before = source.slice(0, at).split('\n');
  return { line: before.length - 1, column: before.at(-1)?.length ?? 0 };
}
