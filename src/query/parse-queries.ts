import { type Language, parseSource } from '../language/parse-source.js';
import type { Source } from '../language/source.js';
import { parse } from './gq-parser.generated.js';
import type { QueryFile } from './query-ast.js';

/** How mistakes in queries are told. */
export const queryLanguage: Language = {
  code: 'QUERY_INVALID',
  hint: 'Correct the query and send it again; docs/query-language.md explains the language.',
};

/** What a text in the query language says; throws where it first leaves the grammar. */
export function parseQueries(source: Source): QueryFile {
  return parseSource<QueryFile>({ parse }, source, queryLanguage);
}
