/** A record of RFC 4180. A cell is null if it is empty and not quoted. */
export interface CsvRecord {
  /** Where it begins. */
  readonly line: number;
  readonly cells: readonly (string | null)[];
  /** Completes the sentence "line 7 …"; then the cells do not count. */
  readonly problem?: string;
}

const maxCharacters = 16_777_216;

/** Whichever of these the header has most of. */
export function guessDelimiter(head: string): string {
  const [header = ''] = head.split('\n', 1);
  const count = (delimiter: string) => header.split(delimiter).length;
  return ['\t', ';'].reduce((best, each) => (count(each) > count(best) ? each : best), ',');
}

/** Holds no more than one record and one chunk; lines may end in CR, LF or both, and blank ones do not count. */
export async function* readCsv(
  chunks: AsyncIterable<Uint8Array>,
  delimiter: string,
): AsyncGenerator<CsvRecord> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const splitter = new CsvSplitter(delimiter);
  for await (const chunk of chunks) {
    let text: string;
    try {
      text = decoder.decode(chunk, { stream: true });
    } catch {
      yield { line: splitter.line, cells: [], problem: 'or a line after it is not valid UTF-8' };
      return;
    }
    yield* splitter.add(text);
  }
  yield* splitter.end();
}

class CsvSplitter {
  readonly #delimiter: string;
  line = 1;
  #recordLine = 1;
  #cells: (string | null)[] = [];
  #cell = '';
  #length = 0;
  #quoted = false;
  /** Inside quotes, or right after a quote that may end them or begin a doubled one. */
  #state: 'plain' | 'quoted' | 'quote' = 'plain';
  #afterReturn = false;

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
  }

  *add(text: string): Generator<CsvRecord> {
    for (const character of text) {
      const endsLine = character === '\n' || character === '\r';
      const second = character === '\n' && this.#afterReturn;
      this.#afterReturn = character === '\r';
      if (endsLine && !second) this.line += 1;
      if (this.#state === 'quoted') {
        if (character === '"') this.#state = 'quote';
        else this.#append(character);
      } else if (this.#state === 'quote' && character === '"') {
        this.#state = 'quoted';
        this.#append(character);
      } else if (character === '"' && this.#cell === '' && !this.#quoted) {
        this.#state = 'quoted';
        this.#quoted = true;
      } else if (character === this.#delimiter) this.#endCell();
      else if (!endsLine) this.#append(character);
      else if (!second) yield* this.#endRecord();
    }
  }

  *end(): Generator<CsvRecord> {
    if (this.#state === 'quoted')
      yield { line: this.#recordLine, cells: [], problem: 'has a quote that is never closed' };
    else yield* this.#endRecord();
  }

  #append(character: string): void {
    this.#length += character.length;
    if (this.#length <= maxCharacters) this.#cell += character;
  }

  #endCell(): void {
    this.#cells.push(this.#cell === '' && !this.#quoted ? null : this.#cell);
    this.#cell = '';
    this.#quoted = false;
    this.#state = 'plain';
  }

  *#endRecord(): Generator<CsvRecord> {
    this.#endCell();
    const record = { line: this.#recordLine, cells: this.#cells };
    const tooLong = this.#length > maxCharacters;
    this.#cells = [];
    this.#length = 0;
    this.#recordLine = this.line;
    if (tooLong) yield { ...record, problem: `is longer than ${maxCharacters} characters` };
    else if (record.cells.length > 1 || record.cells[0] !== null) yield record;
  }
}
