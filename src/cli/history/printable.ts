/** A text as one line of a terminal: one that would break it, or could steer it, is quoted. */
export function printable(text: string): string {
  return text === '' || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text) ? quoteForTerminal(text) : text;
}

/** A value in JSON, with nothing in it that a terminal would obey. */
export function quoteForTerminal(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}
