/** An element of the array that a JSON document is, or of an array that a member of its object is; or a whole member. */
export interface JsonItem {
  /** The member of the outer object. */
  readonly key?: string;
  readonly line: number;
  /** Undefined if it cannot be read. */
  readonly text?: string;
  /** Completes the sentence "line 7 …". */
  readonly problem?: string;
}

const maxCharacters = 64 * 1024 * 1024;
const maxDepth = 500;

/** Splits a JSON document of any size, and holds no more than one item and one chunk. Items are not parsed. */
export async function* jsonItems(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<JsonItem> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const splitter = new JsonSplitter();
  for await (const chunk of chunks) {
    let text: string;
    try {
      text = decoder.decode(chunk, { stream: true });
    } catch {
      yield splitter.problem('or a line after it is not valid UTF-8');
      return;
    }
    for (const item of splitter.add(text)) {
      yield item;
      if (splitter.failed) return;
    }
  }
  if (!splitter.done) yield splitter.problem('ends before the JSON does');
}

/** The items that are complete in the beginning of a document. */
export function sampleJsonItems(head: string): Iterable<JsonItem> {
  return new JsonSplitter().add(head);
}

const special = /["\\\n]/g;

type Container = 'document' | 'array' | 'object' | 'member' | 'end';

class JsonSplitter {
  failed = false;
  #container: Container = 'document';
  /** Whether `member` is inside an object. */
  #key: string | undefined;
  #line = 1;
  /** Of the item that is being read; undefined between items. */
  #itemLine: number | undefined;
  #parts: string[] = [];
  #length = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;

  get done(): boolean {
    return this.#container === 'end';
  }

  problem(problem: string): JsonItem {
    this.failed = true;
    return { line: this.#itemLine ?? this.#line, problem };
  }

  *add(text: string): Generator<JsonItem> {
    let start = 0;
    for (let at = 0; at < text.length; at++) {
      const character = text.charAt(at);
      if (character === '\n') this.#line += 1;
      if (this.#inString) {
        // Most of a document is inside strings: go straight to the next character that matters.
        if (!this.#escaped && !'"\\\n'.includes(character)) {
          special.lastIndex = at;
          at = (special.exec(text)?.index ?? text.length) - 1;
          continue;
        }
        if (this.#escaped) this.#escaped = false;
        else if (character === '\\') this.#escaped = true;
        else if (character === '"') this.#inString = false;
        continue;
      }
      if (' \n\r\t\ufeff'.includes(character)) continue;
      if (this.#itemLine !== undefined) {
        if (this.#depth > 0 || !',:]}'.includes(character)) {
          if (this.#nest(character)) continue;
          yield this.problem('is nested too deeply');
          return;
        }
        this.#keep(text.slice(start, at));
        yield* this.#finishItem(character);
      } else if (this.#opens(character)) {
        // The brackets of the outer array or object are not part of an item.
      } else if (this.#container === 'end') yield this.problem('has more text after the end of the JSON');
      else if (this.#container === 'document') yield this.problem('is not a JSON array or object');
      else if (character === ']' || character === '}') yield* this.#close(character);
      else if (character !== ',') {
        this.#itemLine = this.#line;
        start = at;
        this.#nest(character);
      }
      if (this.failed) return;
    }
    if (this.#itemLine !== undefined) this.#keep(text.slice(start));
  }

  /** False if it is too deep. */
  #nest(character: string): boolean {
    if (character === '"') this.#inString = true;
    else if (character === '[' || character === '{') this.#depth += 1;
    else if (character === ']' || character === '}') this.#depth -= 1;
    return this.#depth <= maxDepth;
  }

  #opens(character: string): boolean {
    if (this.#container === 'document' && (character === '[' || character === '{')) {
      this.#container = character === '[' ? 'array' : 'object';
      return true;
    }
    if (this.#container !== 'object' || this.#key === undefined || character !== '[') return false;
    this.#container = 'member';
    return true;
  }

  *#close(end: string): Generator<JsonItem> {
    if ((end === '}') !== (this.#container === 'object')) yield this.problem('is not JSON');
    this.#container = this.#container === 'member' ? 'object' : 'end';
    this.#key = undefined;
  }

  #keep(part: string): void {
    this.#length += part.length;
    if (this.#length > maxCharacters) this.#parts = [];
    else this.#parts.push(part);
  }

  *#finishItem(end: string): Generator<JsonItem> {
    const line = this.#itemLine ?? this.#line;
    const text = this.#length > maxCharacters ? undefined : this.#parts.join('').trim();
    const key = this.#key;
    this.#itemLine = undefined;
    this.#parts = [];
    this.#length = 0;
    if (end === ':') {
      this.#key = parseKey(text);
      if (this.#container !== 'object' || key !== undefined || this.#key === undefined)
        yield this.problem('is not JSON');
      return;
    }
    yield {
      line,
      ...(key === undefined ? {} : { key }),
      ...(text === undefined ? { problem: `is longer than ${maxCharacters} characters` } : { text }),
    };
    if (this.#container === 'object') {
      if (key === undefined) yield this.problem('is not JSON');
      this.#key = undefined;
    }
    if (end !== ',') yield* this.#close(end);
  }
}

function parseKey(text: string | undefined): string | undefined {
  try {
    const key: unknown = JSON.parse(text ?? '');
    return typeof key === 'string' ? key : undefined;
  } catch {
    return undefined;
  }
}
