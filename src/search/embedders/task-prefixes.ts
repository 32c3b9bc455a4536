import type { Perspective } from '../perspectives.js';
import type { PerspectiveUse, TextKind } from './embedder.js';

/** How a family of models marks what a text is for. */
interface ModelFamily {
  readonly model: RegExp;
  readonly query: (instruction: string) => string;
  readonly document: string;
  /** Whether the prefix of a query says what to look for. Then documents are embedded as they are. */
  readonly instructed?: boolean;
}

const families: readonly ModelFamily[] = [
  { model: /nomic-embed/i, query: () => 'search_query: ', document: 'search_document: ' },
  {
    model: /mxbai-embed|snowflake-arctic-embed/i,
    query: () => 'Represent this sentence for searching relevant passages: ',
    document: '',
  },
  {
    model: /e5-.*instruct|qwen3-embedding/i,
    query: (instruction) => `Instruct: ${instruction}\nQuery: `,
    ...{ document: '', instructed: true },
  },
  { model: /(^|[/-])e5-/i, query: () => 'query: ', document: 'passage: ' },
  {
    model: /embeddinggemma/i,
    query: () => 'task: search result | query: ',
    document: 'title: none | text: ',
  },
];

function familyOf(model: string): ModelFamily | undefined {
  return families.find((family) => family.model.test(model));
}

/** A model that was not trained with prefixes finds less if a text begins with an instruction; see docs/search.md. */
export function perspectiveUse(model: string): PerspectiveUse {
  const family = familyOf(model);
  if (family === undefined) return 'none';
  return family.instructed === true ? 'queries' : 'all';
}

/** The task prefix, the instruction of the perspective, the text; the text alone for a model without prefixes. */
export function withTaskPrefix(
  model: string,
  text: string,
  kind: TextKind,
  { instruction }: Perspective,
): string {
  const family = familyOf(model);
  if (family === undefined) return text;
  const prefix = kind === 'query' ? family.query(instruction) : family.document;
  return family.instructed === true || instruction === ''
    ? `${prefix}${text}`
    : `${prefix}${instruction}: ${text}`;
}
