import { missingGraphHint, openConfiguredStore } from '../../config/open-configured-store.js';
import { isUrl } from '../../config/paths.js';
import type { Settings } from '../../config/settings.js';
import { asTrellisError } from '../../model/error.js';
import { storeKind } from '../../store/open-store-at-location.js';
import type { GraphCounts } from '../../store/read-results.js';
import type { Store } from '../../store/store-contract.js';
import { embeddingWarnings } from './embedding-warnings.js';
import { graphSchemaWarnings } from './graph-schema-warnings.js';
import { inspectFile } from './inspect-file.js';
import { storedQueryProblems } from './stored-query-problems.js';

export interface GraphHealth extends GraphCounts {
  readonly name: string;
}

/** What was found out about the place where the data is. */
export interface DataHealth {
  readonly exists: boolean;
  readonly kind?: Store['kind'];
  readonly bytes?: number;
  /** Octal, as `ls` and `chmod` speak of it. */
  readonly mode?: string;
  readonly folderMode?: string;
  readonly graphs: readonly GraphHealth[];
  /** Something is wrong. */
  readonly problems: readonly string[];
  /** Something could be better. */
  readonly warnings: readonly string[];
  /** Something is unusual, and harms nothing. */
  readonly notes?: readonly string[];
}

/** Looks at the data without making anything. */
export async function examineData(settings: Settings): Promise<DataHealth> {
  const { location, graph, graphs: configured } = settings;
  const { path } = location.value;
  const problems: string[] = [];
  const warnings: string[] = [];
  const place = isUrl(path) ? undefined : await inspectFile(path);
  warnings.push(...(place?.warnings ?? []));
  let store: Store | undefined;
  try {
    const kind = location.value.kind === 'store' ? storeKind(path) : 'jsonl';
    // Opening a database that is an empty file would make its tables.
    if (place?.exists === false || (place?.bytes === 0 && kind === 'sqlite'))
      return { ...place, graphs: [], problems, warnings };
    store = await openConfiguredStore(location.value, { warn: (message) => warnings.push(message) });
    const graphs = await countGraphs(store);
    const asked = graphs.some(({ name }) => name === graph.value) || configured.has(graph.value);
    // A store without the graph that nobody asked for is a store like any other.
    if (graphs.length > 0 && !asked && graph.source !== 'default') {
      problems.push(
        `There is no graph ${graph.value} (${graph.source}). ${missingGraphHint(store, graph.value)}`,
      );
    }
    problems.push(...(await store.check()), ...(await storedQueryProblems(store, configured)));
    const advice = await store.advice();
    // What a file says twice is read all the same.
    const notes = store.kind === 'jsonl' ? advice : [];
    if (store.kind !== 'jsonl') warnings.push(...advice);
    warnings.push(...(await graphSchemaWarnings(store, configured)));
    warnings.push(...(await embeddingWarnings(store, settings)));
    return {
      exists: true,
      ...place,
      kind: store.kind,
      graphs,
      problems,
      warnings: withoutRepeats(warnings, [...problems, ...notes]),
      notes,
    };
  } catch (thrown) {
    const { message, hint } = asTrellisError(thrown);
    problems.push(hint === undefined ? message : `${message} ${hint}`);
    return { exists: true, ...place, graphs: [], problems, warnings };
  } finally {
    await store?.close();
  }
}

/** A warning that only repeats a problem says nothing new. */
function withoutRepeats(warnings: readonly string[], problems: readonly string[]): string[] {
  return warnings.filter((warning) => !problems.some((problem) => warning.startsWith(problem)));
}

async function countGraphs(store: Store): Promise<GraphHealth[]> {
  const counted: GraphHealth[] = [];
  for (const { name } of await store.graphs()) {
    counted.push({ name, ...(await store.read({ graph: name }, (reader) => reader.counts())) });
  }
  return counted;
}
