import { Findings } from '../../language/findings.js';
import { sourceError } from '../../language/problem.js';
import type { Source } from '../../language/source.js';
import type { SchemaTree } from './ast.js';
import { checkEdges } from './check/edges.js';
import { checkInterfaces } from './check/interfaces.js';
import { checkNames } from './check/names.js';
import { checkNodes } from './check/nodes.js';
import type { GraphSchema } from './graph-schema.js';
import { parseSchemaTree, schemaLanguage } from './parse-tree.js';

/** What a schema in the `.pg` language lets a graph hold; throws `SCHEMA_INVALID` with every problem it has. */
export function parseGraphSchema(source: string, file?: string): GraphSchema {
  const given: Source = { text: source, file };
  return checkTree(given, parseSchemaTree(given));
}

function checkTree(source: Source, tree: SchemaTree): GraphSchema {
  const findings = new Findings();
  const declared = checkNames(tree, findings);
  const interfaces = checkInterfaces(declared, findings);
  const nodes = checkNodes(declared, interfaces, findings);
  const edges = checkEdges(declared, findings);
  if (findings.all.length > 0) throw sourceError(source, findings.all, schemaLanguage);
  return {
    source: source.text,
    interfaces: new Map([...interfaces].map(([name, { type }]) => [name, type])),
    nodes,
    edges,
  };
}
