import type { NodeId } from '../../model/node.js';

/** Scripts without spaces between words are split into characters. */
const unspaced = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer']
  .map((script) => `\\p{Script=${script}}`)
  .join('');

/** A word, or a single other character. */
const token = new RegExp(`[${unspaced}]|[[\\p{L}\\p{N}\\p{M}_]--[${unspaced}]]+|\\S`, 'gv');

interface TrieNode {
  readonly next: Map<string, TrieNode>;
  /** The nodes whose name ends here. */
  readonly nodes: NodeId[];
}

/** Finds names of nodes in texts: whole words, ignoring case, longest name first. */
export class NameMatcher {
  readonly #root: TrieNode = { next: new Map(), nodes: [] };

  add(name: string, node: NodeId): void {
    let at = this.#root;
    for (const word of tokensOf(name)) {
      const next = at.next.get(word) ?? { next: new Map(), nodes: [] };
      at.next.set(word, next);
      at = next;
    }
    if (at !== this.#root) at.nodes.push(node);
  }

  /** The nodes named at each position; several, if names differ in case only. */
  *matches(text: string): Generator<readonly NodeId[]> {
    const words = tokensOf(text);
    for (let start = 0; start < words.length; ) {
      const { nodes, end } = this.#longest(words, start);
      if (nodes.length > 0) yield nodes;
      start = end;
    }
  }

  #longest(words: readonly string[], start: number): { nodes: readonly NodeId[]; end: number } {
    let at = this.#root.next.get((words[start] ?? '').trimStart());
    let found: readonly NodeId[] = [];
    let end = start + 1;
    for (let index = start; at !== undefined; index += 1) {
      if (at.nodes.length > 0) {
        found = at.nodes;
        end = index + 1;
      }
      const word = words[index + 1];
      at = word === undefined ? undefined : at.next.get(word);
    }
    return { nodes: found, end };
  }
}

/** Lower-case words; a word that follows white space begins with a space. */
function tokensOf(text: string): string[] {
  const words: string[] = [];
  let end = 0;
  for (const { 0: word, index } of text.toLowerCase().matchAll(token)) {
    words.push(words.length > 0 && index > end ? ` ${word}` : word);
    end = index + word.length;
  }
  return words;
}
