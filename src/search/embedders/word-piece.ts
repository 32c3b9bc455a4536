/** Longer ones have no pieces. */
const maxWordLength = 100;
const cachedWords = 50_000;
const joined = '##';

/** Characters that are words of their own, in scripts without spaces. */
const ideographs =
  /[\u4E00-\u9FFF\u3400-\u4DBF\u{20000}-\u{2A6DF}\u{2A700}-\u{2B73F}\u{2B740}-\u{2B81F}\u{2B920}-\u{2CEAF}\uF900-\uFAFF\u{2F800}-\u{2FA1F}]/gu;
const removed = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\uFFFD]/gu;
const accents = /\p{Mn}/gu;
/** A run of what is neither space nor punctuation, or one punctuation mark; ASCII symbols count as such. */
const wordPattern = /[^\s\p{P}$+<=>^`|~]+|[\p{P}$+<=>^`|~]/gu;

/** Most texts are in ASCII, for which this does the same in a fifth of the time. */
const ascii = /^[\t\n\r -~]*$/;
const asciiWordPattern = /[a-z0-9]+|[^a-z0-9\s]/g;

/** Cuts texts into the pieces of a vocabulary, as the tokenizer of uncased BERT models does. */
export class WordPiece {
  readonly #pieces: ReadonlyMap<string, number>;
  readonly #known = new Map<string, readonly number[]>();

  /** @param pieces The number of each; those inside a word begin with `##`. */
  constructor(pieces: ReadonlyMap<string, number>) {
    this.#pieces = pieces;
  }

  /** The numbers of the pieces of each word; empty for words that cannot be cut into known pieces. */
  encode(text: string): (readonly number[])[] {
    const words = ascii.test(text)
      ? text.toLowerCase().match(asciiWordPattern)
      : normalize(text).match(wordPattern);
    return (words ?? []).map((word) => this.#cut(word));
  }

  #cut(word: string): readonly number[] {
    const known = this.#known.get(word);
    if (known !== undefined) return known;
    const pieces = this.#longestPieces([...word]);
    // Keeping the words used last would take longer than cutting a few of them again.
    if (this.#known.size >= cachedWords) this.#known.clear();
    this.#known.set(word, pieces);
    return pieces;
  }

  #longestPieces(characters: readonly string[]): readonly number[] {
    if (characters.length > maxWordLength) return [];
    const found: number[] = [];
    for (let start = 0; start < characters.length; ) {
      let end = characters.length;
      let piece: number | undefined;
      for (; end > start; end--) {
        const text = characters.slice(start, end).join('');
        piece = this.#pieces.get(start === 0 ? text : joined + text);
        if (piece !== undefined) break;
      }
      if (piece === undefined) return [];
      found.push(piece);
      start = end;
    }
    return found;
  }
}

function normalize(text: string): string {
  return (
    text
      .replace(removed, '')
      .replace(ideographs, ' $& ')
      .normalize('NFD')
      .replace(accents, '')
      // Letter by letter: JavaScript writes the last sigma of a word as ς.
      .replaceAll('Σ', 'σ')
      .toLowerCase()
  );
}
