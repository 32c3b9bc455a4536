export interface Source {
  readonly text: string;
  /** For messages; undefined if a client sent the text. */
  readonly file?: string | undefined;
}

/** As editors count: the first character is line 1, column 1. */
export interface SourcePosition {
  readonly line: number;
  readonly column: number;
}

export function sourcePosition(text: string, offset: number): SourcePosition {
  let line = 1;
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1 && end < offset; end = text.indexOf('\n', start)) {
    line += 1;
    start = end + 1;
  }
  return { line, column: Math.min(offset, text.length) - start + 1 };
}
