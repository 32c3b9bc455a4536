/** A configuration that cannot be parsed, or holds something else where servers belong. */
export class UnreadableConfig extends Error {
  /** Undefined if no line is to blame. */
  readonly line: number | undefined;

  constructor(message: string, line?: number) {
    super(message);
    this.line = line;
  }
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
