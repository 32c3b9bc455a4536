import { Diagnostics } from '../../language/diagnostics.js';
import type { Source } from '../../language/source.js';
import { type Diagnostic, sourceError } from '../../language/source-problem.js';
import type { SchemaTree } from './ast.js';
import { checkEdges } from './check/edges.js';
import { checkInterfaces } from './check/interfaces.js';
import { checkNames } from './check/names.js';
import { checkNodes } from './check/nodes.js';
import { largePattern } from './check/value-constraints.js';
import type { GraphSchema } from './graph-schema.js';
import { parseSchemaTree, schemaLanguage } from './parse-tree.js';

/** What a schema in the `.pg` language lets a graph hold; throws `SCHEMA_INVALID` with every problem it has. */
export function parseGraphSchema(source: string, file?: string): GraphSchema {
  const given: Source = { text: source, file };
  return checkTree(given, parseSchemaTree(given), () => true);
}

/**
 * The schema of a graph as it is stored. Patterns had no bounds once: a graph that has a larger one can still be read and
 * get another schema, but takes no value that the pattern would have to check.
 */
export function parseStoredSchema(source: string): GraphSchema {
  const given: Source = { text: source, file: undefined };
  return checkTree(given, parseSchemaTree(given), ({ code }) => code !== largePattern);
}

function checkTree(source: Source, tree: SchemaTree, counts: (finding: Diagnostic) => boolean): GraphSchema {
  const findings = new Diagnostics();
  const declared = checkNames(tree, findings);
  const interfaces = checkInterfaces(declared, findings);
  const nodes = checkNodes(declared, interfaces, findings);
  const edges = checkEdges(declared, findings);
  const found = findings.all.filter(counts);
  if (found.length > 0) throw sourceError(source, found, schemaLanguage);
  return {
    source: source.text,
    interfaces: new Map([...interfaces].map(([name, { type }]) => [name, type])),
    nodes,
    edges,
  };
}
