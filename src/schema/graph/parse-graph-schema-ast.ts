import { type Language, parseSource } from '../../language/parse-source.js';
import type { Source } from '../../language/source.js';
import type { GraphSchemaAst } from './graph-schema-ast.js';
import * as parser from './pg-parser.generated.js';

/** How errors in a schema are told. */
export const graphSchemaLanguage: Language = {
  code: 'SCHEMA_INVALID',
  hint: 'Mend the schema; docs/schema-language.md shows every construct.',
};

/** What a schema says, as it was written; throws `SCHEMA_INVALID` where the text leaves the grammar. */
export function parseGraphSchemaAst(source: Source): GraphSchemaAst {
  return parseSource<GraphSchemaAst>(parser, source, graphSchemaLanguage);
}
