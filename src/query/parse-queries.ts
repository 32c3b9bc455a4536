import { type Language, parseSource } from '../language/parse-source.js';
import type { Source } from '../language/source.js';
import { parse } from './gq-parser.generated.js';
import type { QueryFile } from './query-ast.js';

export const queryLanguage: Language = {
  code: 'QUERY_INVALID',
  hint: 'Correct the query and send it again; docs/query-language.md explains the language.',
};

/** Parses queries; throws at the first syntax error. */
export function parseQueries(source: Source): QueryFile {
  return parseSource<QueryFile>({ parse }, source, queryLanguage);
}
