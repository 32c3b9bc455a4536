export interface Token {
  readonly text: string;
  readonly at: number;
}

const pattern =
  /(?<comment>\/\/[^\n\r]*|\/\*[\s\S]*?(?:\*\/|$))|"(?:\\.|[^"\\])*"?|`(?:\\.|[^`\\\n])*`?|\$?[A-Za-z0-9_]+|->|\S/g;

/** The words and signs of a `.gq` or `.pg` source, without its comments. The server reports what is wrong with them. */
export function tokensOf(source: string): readonly Token[] {
  return [...source.matchAll(pattern)].flatMap(({ 0: text, index, groups }) =>
    groups?.['comment'] === undefined ? [{ text, at: index }] : [],
  );
}

/** Reads tokens one after the other. */
export class TokenReader {
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get isAtEnd(): boolean {
    return this.#next >= this.#tokens.length;
  }

  peek(ahead = 0): string {
    return this.#tokens[this.#next + ahead]?.text ?? '';
  }

  take(): string {
    const text = this.peek();
    this.#next += 1;
    return text;
  }

  takeIf(text: string): boolean {
    if (this.peek() !== text) return false;
    this.#next += 1;
    return true;
  }

  /** Everything in brackets, if one opens here, with the brackets. */
  takeBrackets(): string {
    if (!'([{'.includes(this.peek()) || this.isAtEnd) return '';
    const taken: string[] = [];
    let depth = 0;
    do {
      const text = this.take();
      taken.push(text === ',' ? ', ' : text);
      if (text.length === 1 && '([{'.includes(text)) depth += 1;
      if (text.length === 1 && ')]}'.includes(text)) depth -= 1;
    } while (depth > 0 && !this.isAtEnd);
    return taken.join('');
  }
}
