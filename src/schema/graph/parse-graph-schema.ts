import { Diagnostics } from '../../language/diagnostics.js';
import type { Source } from '../../language/source.js';
import { type Diagnostic, sourceError } from '../../language/source-problem.js';
import { checkEdgeTypes } from './check/check-edge-types.js';
import { checkInterfaces } from './check/check-interfaces.js';
import { checkNames } from './check/check-names.js';
import { checkNodeTypes } from './check/check-node-types.js';
import { largePatternCode } from './check/check-value-constraints.js';
import type { GraphSchema } from './graph-schema.js';
import type { GraphSchemaAst } from './graph-schema-ast.js';
import { graphSchemaLanguage, parseGraphSchemaAst } from './parse-graph-schema-ast.js';

/** What a schema in the `.pg` language lets a graph hold; throws `SCHEMA_INVALID` with every problem it has. */
export function parseGraphSchema(source: string, file?: string): GraphSchema {
  const given: Source = { text: source, file };
  return checkGraphSchema(given, parseGraphSchemaAst(given), () => true);
}

/**
 * The schema of a graph as it is stored. Patterns had no bounds once: a graph that has a larger one can still be read and
 * get another schema, but takes no value that the pattern would have to check.
 */
export function parseStoredGraphSchema(source: string): GraphSchema {
  const given: Source = { text: source, file: undefined };
  return checkGraphSchema(given, parseGraphSchemaAst(given), ({ code }) => code !== largePatternCode);
}

function checkGraphSchema(
  source: Source,
  tree: GraphSchemaAst,
  counts: (finding: Diagnostic) => boolean,
): GraphSchema {
  const findings = new Diagnostics();
  const declared = checkNames(tree, findings);
  const interfaces = checkInterfaces(declared, findings);
  const nodes = checkNodeTypes(declared, interfaces, findings);
  const edges = checkEdgeTypes(declared, findings);
  const found = findings.all.filter(counts);
  if (found.length > 0) throw sourceError(source, found, graphSchemaLanguage);
  return {
    source: source.text,
    interfaces: new Map([...interfaces].map(([name, { type }]) => [name, type])),
    nodes,
    edges,
  };
}
