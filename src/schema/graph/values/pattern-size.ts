/**
 * Estimates the instructions of a pattern without compiling it: a hundred times `.{0,1000}` is 900 characters, and takes
 * seconds and a hundred megabytes to compile. A pattern that is not well-formed gets an estimate too.
 */
export function estimatePatternSize(pattern: string): number {
  return new PatternSizeEstimator(pattern).size();
}

/** Knows only the syntax that affects sizes. */
class PatternSizeEstimator {
  readonly #pattern: string;
  #at = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  size(): number {
    let size = 0;
    // An unmatched closing bracket is for the compiler to report.
    while (this.#at < this.#pattern.length) {
      size += this.#alternatives();
      this.#at += 1;
    }
    return size;
  }

  /** Up to the closing bracket, or the end. */
  #alternatives(): number {
    let size = 0;
    while (this.#at < this.#pattern.length && this.#pattern[this.#at] !== ')') {
      size += this.#pattern[this.#at] === '|' ? this.#skip(1) : this.#repeated(this.#atom());
    }
    return size;
  }

  #atom(): number {
    const rest = this.#pattern.slice(this.#at);
    if (rest.startsWith('(')) return this.#group(rest);
    // A class is one instruction; a ] right at its start is a member.
    const whole =
      /^\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]/su.exec(rest) ??
      /^\\(?:[pP]\{[^}]*\}|x\{[^}]*\}|.)/su.exec(rest);
    if (rest.startsWith('\\Q')) return this.#quoted(rest);
    return this.#skip(whole?.[0].length ?? String.fromCodePoint(rest.codePointAt(0) ?? 0).length);
  }

  #group(rest: string): number {
    const flags = /^\(\?[a-zA-Z-]*\)/.exec(rest);
    if (flags !== null) return this.#skip(flags[0].length);
    this.#at += /^\(\?P?<\w+>|^\(\?[a-zA-Z-]*:|^\(/.exec(rest)?.[0].length ?? 1;
    const inner = this.#alternatives();
    this.#at += 1;
    return inner + 2;
  }

  #quoted(rest: string): number {
    const end = rest.indexOf('\\E', 2);
    const length = (end === -1 ? rest.length : end) - 2;
    this.#at += length + (end === -1 ? 2 : 4);
    return length;
  }

  #repeated(size: number): number {
    let repeated = size;
    for (;;) {
      const [found, least = '', comma, most = ''] =
        // Flags in between are skipped: the repeat applies to what precedes them.
        /^(?:\(\?[a-zA-Z-]*\))*(?:[*+?]|\{(\d+)(,(\d*))?\})\??/.exec(this.#pattern.slice(this.#at)) ?? [];
      if (found === undefined) return repeated;
      this.#at += found.length;
      const times =
        least === ''
          ? 1
          : comma === undefined
            ? Number(least)
            : most === ''
              ? Number(least) + 1
              : Number(most);
      // An optional part has one more instruction.
      repeated = (repeated + (comma === undefined && least !== '' ? 0 : 1)) * Math.max(times, 1);
    }
  }

  #skip(length: number): number {
    this.#at += length;
    return 1;
  }
}
