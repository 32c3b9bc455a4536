import { Diagnostics } from '../../language/diagnostics.js';
import { type Language, parseSource } from '../../language/parse-source.js';
import type { Source } from '../../language/source.js';
import { type Diagnostic, sourceError } from '../../language/source-problem.js';
import { checkEdgeTypes } from './check/check-edge-types.js';
import { checkNames } from './check/check-names.js';
import { checkInterfaces, checkNodeTypes } from './check/check-node-types.js';
import { largePatternCode } from './check/check-value-constraints.js';
import type { GraphSchema } from './graph-schema.js';
import type { GraphSchemaAst } from './graph-schema-ast.js';
import * as parser from './pg-parser.generated.js';

const graphSchemaLanguage: Language = {
  code: 'SCHEMA_INVALID',
  hint: 'Fix the schema. docs/schema-language.md shows every construct.',
};

/** Throws `SCHEMA_INVALID` at the first syntax error. */
export function parseGraphSchemaAst(source: Source): GraphSchemaAst {
  return parseSource<GraphSchemaAst>(parser, source, graphSchemaLanguage);
}

/** Parses and checks a schema in the `.pg` language; throws `SCHEMA_INVALID` with all problems. */
export function parseGraphSchema(source: string, file?: string): GraphSchema {
  const given: Source = { text: source, file };
  return checkGraphSchema(given, parseGraphSchemaAst(given), () => true);
}

/**
 * The schema of a graph as it is stored. Older versions did not limit patterns: a graph with a larger one can be read and
 * get another schema, but accepts no value that the pattern would have to check.
 */
export function parseStoredGraphSchema(source: string): GraphSchema {
  const given: Source = { text: source, file: undefined };
  return checkGraphSchema(given, parseGraphSchemaAst(given), ({ code }) => code !== largePatternCode);
}

function checkGraphSchema(
  source: Source,
  tree: GraphSchemaAst,
  counts: (diagnostic: Diagnostic) => boolean,
): GraphSchema {
  const diagnostics = new Diagnostics();
  const declared = checkNames(tree, diagnostics);
  const interfaces = checkInterfaces(declared, diagnostics);
  const nodes = checkNodeTypes(declared, interfaces, diagnostics);
  const edges = checkEdgeTypes(declared, diagnostics);
  const found = diagnostics.all.filter(counts);
  if (found.length > 0) throw sourceError(source, found, graphSchemaLanguage);
  return {
    source: source.text,
    interfaces: new Map([...interfaces].map(([name, { type }]) => [name, type])),
    nodes,
    edges,
  };
}
