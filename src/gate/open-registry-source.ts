import { TrellisError } from '../model/error.js';
import type { GateSettings } from './gate-settings.js';
import { isModulePath } from './operator-module.js';
import { FileSource } from './registry/file-source.js';
import { FolderSource } from './registry/folder-source.js';
import { GraphSource, type ReadableGraph } from './registry/graph-source.js';
import { ModuleSource } from './registry/module-source.js';
import type { RegistrySource } from './registry/schema-registry.js';

export function openRegistrySource(
  { registry = 'graph', schemaFile }: GateSettings,
  { graph, schemas }: { readonly graph: ReadableGraph; readonly schemas?: string | undefined },
): RegistrySource {
  const named = schemaFile ?? registry;
  if (named === 'graph') return new GraphSource(graph);
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
