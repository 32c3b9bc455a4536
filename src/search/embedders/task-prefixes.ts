import type { Perspective } from '../perspectives.js';
import type { TextKind } from './embedder.js';

/** How a family of models marks what a text is for. */
interface ModelFamily {
  readonly model: RegExp;
  readonly query: (instruction: string) => string;
  readonly document: string;
}

const families: readonly ModelFamily[] = [
  { model: /nomic-embed/i, query: () => 'search_query: ', document: 'search_document: ' },
  {
    model: /mxbai-embed|snowflake-arctic-embed/i,
    query: () => 'Represent this sentence for searching relevant passages: ',
    document: '',
  },
  { model: /e5-.*instruct|qwen3-embedding/i, query: (told) => `Instruct: ${told}\nQuery: `, document: '' },
  { model: /(^|[/-])e5-/i, query: () => 'query: ', document: 'passage: ' },
  {
    model: /embeddinggemma/i,
    query: () => 'task: search result | query: ',
    document: 'title: none | text: ',
  },
];

/** The task prefix, the instruction of the perspective, the text. */
export function withTaskPrefix(
  model: string,
  text: string,
  kind: TextKind,
  perspective: Perspective,
): string {
  const { instruction } = perspective;
  const family = families.find((one) => one.model.test(model));
  const prefix = family === undefined ? '' : kind === 'query' ? family.query(instruction) : family.document;
  // Not repeated if the prefix already contains the instruction.
  return prefix.includes(instruction) || instruction === ''
    ? `${prefix}${text}`
    : `${prefix}${instruction}: ${text}`;
}
