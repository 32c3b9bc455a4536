/** A text in one of the languages, and where it came from. */
export interface Source {
  readonly text: string;
  /** The file it was read from, for messages; undefined if somebody sent it. */
  readonly file?: string | undefined;
}

/** Where something stands, as editors count: the first character is line 1, column 1. */
export interface SourcePosition {
  readonly line: number;
  readonly column: number;
}

/** The position of an offset, which the trees of both languages carry. */
export function sourcePosition(text: string, offset: number): SourcePosition {
  let line = 1;
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1 && end < offset; end = text.indexOf('\n', start)) {
    line += 1;
    start = end + 1;
  }
  return { line, column: Math.min(offset, text.length) - start + 1 };
}
