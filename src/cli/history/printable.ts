/** Quotes text that would break the line or control the terminal. */
export function printable(text: string): string {
  return text === '' || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text) ? quoteForTerminal(text) : text;
}

export function quoteForTerminal(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}
