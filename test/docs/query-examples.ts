import type { Json } from '../../src/model/json.js';
import { page } from './pages.js';

/** A query on a page, and what the page says of it. */
export interface QueryExample {
  readonly code: string;
  /** Whether it is about a graph without a schema. */
  readonly isOpen: boolean;
  readonly parameters: Readonly<Record<string, Json>>;
  /** What it answers on the data of the page; undefined if the page does not say. */
  readonly rows: readonly Readonly<Record<string, Json>>[] | undefined;
  /** How many nodes and edges a mutation changes; undefined if the page does not say. */
  readonly affected: { readonly affectedNodes: number; readonly affectedEdges: number } | undefined;
  /** The error it is refused with. */
  readonly refusal: string | undefined;
}

/** A page about queries: one schema, lines of data to ingest, and queries with their answers. */
export interface QueryExamples {
  readonly schemaSource: string;
  readonly data: string;
  readonly examples: readonly QueryExample[];
}

/** What is on a page; the block after a query is its answer (`json`), or its error (plain). */
export function queryExamples(path: string): QueryExamples {
  const blocks = [...page(path).text.matchAll(/^```([\w ]*)\n(.*?)^```$/gms)].map(
    ([, name = '', code = '']) => ({
      name,
      code,
    }),
  );
  const first = (name: string) => blocks.find((block) => block.name === name)?.code ?? '';
  const examples = blocks.flatMap(({ name, code }, index) => {
    if (name !== 'gq' && name !== 'gq open') return [];
    const next = blocks[index + 1];
    const answer = next?.name === 'json' ? JSON.parse(next.code) : {};
    const isRefused = next?.name === '' && /^(\S+:\d+:\d+: |\d+ problems:)/.test(next.code);
    return [
      {
        code,
        isOpen: name === 'gq open',
        parameters: answer.params ?? {},
        rows: answer.rows,
        affected:
          answer.affected_nodes === undefined
            ? undefined
            : { affectedNodes: answer.affected_nodes, affectedEdges: answer.affected_edges },
        refusal: isRefused ? next.code.trimEnd() : undefined,
      },
    ];
  });
  return { schemaSource: first('pg'), data: first('jsonl'), examples };
}
