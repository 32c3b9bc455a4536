import type { CypherAccess } from '../cypher/cypher-connection.js';
import { TrellisError } from '../model/error.js';
import { CypherSource } from './cypher/cypher-source.js';
import { DialectCheckedSource } from './cypher/dialect-checked-source.js';
import type { GateSettings } from './gate-settings.js';
import { isModulePath } from './operator-module.js';
import { FileSource } from './registry/file-source.js';
import { FolderSource } from './registry/folder-source.js';
import { GraphSource, type ReadableGraph } from './registry/graph-source.js';
import { ModuleSource } from './registry/module-source.js';
import type { RegistrySource } from './registry/schema-registry.js';

export function openRegistrySource(
  { registry = 'graph', schemaFile }: GateSettings,
  { graph, schemas, target }: RegistryPlaces,
): RegistrySource {
  const named = schemaFile ?? registry;
  const source = openNamedSource(named, { graph, schemas, target });
  return target === undefined ? source : new DialectCheckedSource(source, target);
}

export interface RegistryPlaces {
  /** Needed without a target. */
  readonly graph?: ReadableGraph | undefined;
  readonly schemas?: string | undefined;
  /** The graph database that the gate writes to instead. */
  readonly target?: CypherAccess | undefined;
}

function openNamedSource(named: string, { graph, schemas, target }: RegistryPlaces): RegistrySource {
  if (named === 'graph' && target !== undefined) return new CypherSource(target);
  if (named === 'graph' && graph !== undefined) return new GraphSource(graph);
  if (named === 'schema') return new FolderSource(schemas ?? missingSchemaFolder());
  if (isModulePath(named)) return new ModuleSource(named);
  if (/\.(ya?ml|json)$/i.test(named)) return new FileSource(named);
  throw new TrellisError('USAGE', `${JSON.stringify(named)} is not a registry source.`, {
    hint: 'Use graph, schema, the path of a .yaml, .yml or .json file, or the path of a .js module.',
  });
}

function missingSchemaFolder(): never {
  throw new TrellisError(
    'USAGE',
    'The gate registry comes from the mesh schema files, but no schema folder is configured.',
    { hint: 'Set it with --schemas DIR, or as schemas in trellis.yaml.' },
  );
}
