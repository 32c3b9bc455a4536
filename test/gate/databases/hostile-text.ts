/** Parts that end a name, a text, a pattern or a query somewhere, or begin a comment. */
const parts = [
  '`',
  '``',
  '\\',
  '\\\\',
  '\\u0060',
  '\\u005C',
  '\\u005Cu0060',
  '\\`',
  "'",
  "\\'",
  '"',
  '$x',
  '{',
  '}',
  ')',
  ']->(',
  ':Admin',
  '//',
  '/*',
  '*/',
  ';',
  '\n',
  '\r\n',
  '\t',
  '\u2028',
  '\u00a0',
  // Normalization would make a backtick of the first.
  '\u1fef',
  '\uff40',
  '\u02cb',
  '\u202e',
  '😈',
  ' OR true',
  'MATCH (n) DETACH DELETE n',
  'CALL db.labels()',
  'RETURN 1',
  '%60',
  '&#96;',
];

/** Texts that were made to become Cypher; the same for the same seed. */
export class HostileTexts {
  #state: number;
  #count = 0;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** No two are the same. */
  next(): string {
    const length = 1 + this.#random(5);
    const text = Array.from({ length }, () => parts[this.#random(parts.length)]).join('');
    this.#count += 1;
    // A name must not begin with _ or a colon.
    return `x${this.#count}${text}`;
  }

  #random(below: number): number {
    // mulberry32
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let value = this.#state;
    value = Math.imul(value ^ (value >>> 15), value | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) % below;
  }
}
