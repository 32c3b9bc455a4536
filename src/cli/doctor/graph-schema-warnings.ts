import type { Settings } from '../../config/settings.js';
import { asTrellisError } from '../../model/error.js';
import { compareSchemaFile, readGraphSchemaFile } from '../../schema/apply/initialise-graph-schema.js';
import type { Store } from '../../store/store-contract.js';

/** The configured file only initialises an empty graph, so the schema in force may differ. */
export async function graphSchemaWarnings(store: Store, configured: Settings['graphs']): Promise<string[]> {
  const names = new Set((await store.graphs()).map(({ name }) => name));
  const warnings: string[] = [];
  for (const [graph, { schema }] of configured) {
    if (schema.value === undefined || !names.has(graph)) continue;
    try {
      const state = await compareSchemaFile(store, graph, await readGraphSchemaFile(schema.value));
      if (state !== 'different') continue;
      warnings.push(
        `The graph ${graph} has another schema than ${schema.value} (${schema.source}). See what differs with: trellis schema plan --graph ${graph}`,
      );
    } catch (thrown) {
      warnings.push(asTrellisError(thrown).message);
    }
  }
  return warnings;
}
