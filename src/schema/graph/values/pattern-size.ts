/**
 * About how many instructions a pattern compiles to, without compiling it: `.{0,1000}` a hundred times is 900 characters,
 * and takes seconds and a hundred megabytes to compile. A pattern that is not well-formed has some size too.
 */
export function estimatePatternSize(pattern: string): number {
  return new PatternSizeEstimator(pattern).size();
}

/** Reads a pattern from left to right, and knows of its syntax only what changes sizes. */
class PatternSizeEstimator {
  readonly #pattern: string;
  #at = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  size(): number {
    let size = 0;
    // A bracket that closes nothing is a mistake, which is for the compiler to say.
    while (this.#at < this.#pattern.length) {
      size += this.#alternatives();
      this.#at += 1;
    }
    return size;
  }

  /** Up to the bracket that closes them, or the end. */
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
    // A class is one instruction, whatever is in it; a ] right at its start is a member.
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
        // Flags in between are passed over: what is repeated is what stands before them.
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
      // What may be left out has an instruction more that says so.
      repeated = (repeated + (comma === undefined && least !== '' ? 0 : 1)) * Math.max(times, 1);
    }
  }

  /** Goes on by so many characters, which are one instruction. */
  #skip(length: number): number {
    this.#at += length;
    return 1;
  }
}
