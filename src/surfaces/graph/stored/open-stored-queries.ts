import { mainBranch } from '../../../model/graph-record.js';
import { loadStoredQueries } from '../../../query/stored/load-stored-queries.js';
import { noStoredQueries, type StoredQueries } from '../../../query/stored/stored-queries.js';
import type { SurfaceContext, SurfaceSettings } from '../../surface.js';

/** Read once for a graph: all branches have the same until the server restarts. */
const opened = new WeakMap<SurfaceSettings, Promise<StoredQueries>>();

/** Checks the queries against the schema of main. */
export function openStoredQueries(context: SurfaceContext): Promise<StoredQueries> {
  const { settings } = context;
  if (settings.queries === undefined || settings.queries.length === 0)
    return Promise.resolve(noStoredQueries);
  const known = opened.get(settings);
  if (known !== undefined) return known;
  const opening = loadAndWarn(context);
  opened.set(settings, opening);
  // After a failure, reads the files again.
  opening.catch(() => opened.delete(settings));
  return opening;
}

async function loadAndWarn({ graph, settings, warn }: SurfaceContext): Promise<StoredQueries> {
  const schema = await graph.withBranch(mainBranch).read((reader) => reader.schema());
  const queries = await loadStoredQueries(settings.queries ?? [], schema);
  for (const { name, namedAt, checked } of queries.exposed) {
    const vector = [...checked.parameters].find(([, type]) => type.kind === 'vector');
    if (vector !== undefined)
      warn(
        `${namedAt}: ${name} is a tool with the parameter ${vector[0]}, a vector, which no language model can give.`,
      );
  }
  return queries;
}
