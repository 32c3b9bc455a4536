/** Quotes text that would break the line or control the terminal. */
export function printable(text: string): string {
  return text === '' || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text) ? quoteForTerminal(text) : text;
}

export function quoteForTerminal(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped);
}

/** For messages and lists, which may quote stored text: they keep their lines, and cannot control the terminal. */
export function withoutControls(text: string): string {
  return text.replaceAll(/[^\P{Cc}\r\n\t]|\r(?!\n)|\p{Bidi_Control}/gu, escaped);
}

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
