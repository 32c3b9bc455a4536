import { missingGraphHint, openConfiguredStore } from '../../config/open-configured-store.js';
import { isUrl } from '../../config/paths.js';
import type { Settings } from '../../config/settings.js';
import { asTrellisError } from '../../model/error.js';
import { shellQuote } from '../../model/quoting.js';
import { readStoredQueries } from '../../query/stored/load-stored-queries.js';
import { compareSchemaFile, readGraphSchemaFile } from '../../schema/apply/initialise-graph-schema.js';
import { embeddedPropertyName } from '../../schema/graph/embedded-properties.js';
import { openEmbedder } from '../../search/embedders/open-embedder.js';
import { matchDimensions } from '../../search/embedding/properties/match-dimensions.js';
import { parseEmbeddedProperties } from '../../search/embedding/properties/parse-embedded-properties.js';
import { graphNames } from '../../store/graph-names.js';
import { storeKind } from '../../store/open-store-at-location.js';
import type { GraphCounts } from '../../store/read-results.js';
import type { Store } from '../../store/store-contract.js';
import { inspectFile } from './inspect-file.js';

export interface GraphHealth extends GraphCounts {
  readonly name: string;
}

export interface DataHealth {
  readonly exists: boolean;
  readonly kind?: Store['kind'];
  readonly layout?: string;
  /** Of the database server and its extensions. */
  readonly versions?: ReadonlyMap<string, string>;
  readonly bytes?: number;
  readonly mode?: string;
  readonly folderMode?: string;
  readonly graphs: readonly GraphHealth[];
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
  readonly notes?: readonly string[];
}

/** Creates no files; in PostgreSQL, opening the store creates the tables. */
export async function examineData(settings: Settings): Promise<DataHealth> {
  const { location, graph, graphs: configured } = settings;
  const { path } = location.value;
  const problems: string[] = [];
  const warnings: string[] = [];
  const file = isUrl(path) ? undefined : await inspectFile(path);
  warnings.push(...(file?.warnings ?? []));
  let store: Store | undefined;
  try {
    const kind = location.value.kind === 'store' ? storeKind(path) : 'jsonl';
    // Opening an empty file would create the tables of a database.
    if (file?.exists === false || (file?.bytes === 0 && kind === 'sqlite'))
      return { ...file, graphs: [], problems, warnings };
    store = await openConfiguredStore(location.value, {
      warn: (message) => {
        // Lines of a file are checked below, all of them.
        if (kind !== 'jsonl' || !message.startsWith(`${path}:`)) warnings.push(message);
      },
    });
    const graphs = await countGraphs(store);
    const isKnown = graphs.some(({ name }) => name === graph.value) || configured.has(graph.value);
    // A missing graph matters only if the user chose it.
    if (graphs.length > 0 && !isKnown && graph.source !== 'default')
      problems.push(
        `There is no graph ${graph.value} (${graph.source}). ${missingGraphHint(store, graph.value)}`,
      );
    const damage = await store.check();
    problems.push(...damage, ...(await storedQueryProblems(store, configured)));
    const advice = await store.advice();
    // Duplicate lines in a file do no harm.
    const notes = store.kind === 'jsonl' ? advice : [];
    if (store.kind !== 'jsonl') warnings.push(...advice);
    if (damage.length > 0) notes.push(damageAdvice(store));
    warnings.push(...(await graphSchemaWarnings(store, settings)));
    warnings.push(...(await embeddingWarnings(store, settings)));
    warnings.push(...(await textVectorWarnings(store, settings)));
    const layout = await store.layout?.();
    const versions = await store.versions?.();
    return {
      exists: true,
      ...file,
      kind: store.kind,
      ...(file === undefined ? { bytes: (await store.size()).data } : {}),
      ...(layout === undefined ? {} : { layout }),
      ...(versions === undefined ? {} : { versions }),
      graphs,
      problems,
      warnings,
      notes,
    };
  } catch (thrown) {
    const { message, hint } = asTrellisError(thrown);
    problems.push(hint === undefined ? message : `${message} ${hint}`);
    return { exists: true, ...file, graphs: [], problems, warnings };
  } finally {
    await store?.close();
  }
}

function damageAdvice({ kind, location }: Store): string {
  if (kind === 'jsonl')
    return 'Lines that cannot be read are kept in the file and left out of the graph until you fix or delete them in an editor.';
  if (kind === 'postgres') return 'Restore a backup with the tools of PostgreSQL: see docs/data.md.';
  return `Stop whatever uses the store, then restore a backup with: trellis restore BACKUP --store ${shellQuote(location)} --force`;
}

async function countGraphs(store: Store): Promise<GraphHealth[]> {
  const counted: GraphHealth[] = [];
  for (const { name } of await store.graphs())
    counted.push({ name, ...(await store.read({ graph: name }, (reader) => reader.counts())) });
  return counted;
}

/** Vector properties stay empty if the embedder makes no vectors, or none of their length. */
async function embeddingWarnings(store: Store, { defaults }: Pick<Settings, 'defaults'>): Promise<string[]> {
  if (!store.capabilities.schemas) return [];
  const warnings: string[] = [];
  for (const { name } of await store.graphs()) {
    const embedded = await parseEmbeddedProperties(
      await store.read({ graph: name }, (reader) => reader.schema()),
    );
    if (embedded.length === 0) continue;
    try {
      const embedder = await openEmbedder(defaults.embedding.value);
      const { matching, mismatches } = await matchDimensions(embedded, embedder);
      warnings.push(...mismatches.map((mismatch) => `Graph ${name}: ${mismatch}`));
      const models = await store.vectors?.propertyModels(name);
      for (const property of matching.map(embeddedPropertyName)) {
        const model = models?.get(property);
        if (model === undefined || model === embedder?.id) continue;
        warnings.push(
          `Graph ${name}: ${property} has vectors of ${model}, but the embedder here is ${embedder?.id}: it replaces them once a server or trellis embed runs with it. Processes that share a store need the same embedder.`,
        );
      }
    } catch {
      // tryModels reports an embedder that does not answer, once for all graphs.
    }
  }
  return warnings;
}

/** Texts need vectors of one model; others take room, or belong to a process with another embedder. */
async function textVectorWarnings(store: Store, { defaults }: Pick<Settings, 'defaults'>): Promise<string[]> {
  if (store.vectors === null) return [];
  // tryModels reports an embedder that does not answer.
  const embedder = await openEmbedder(defaults.embedding.value).catch(() => null);
  const warnings: string[] = [];
  for (const { name } of await store.graphs()) {
    const models = [...new Set((await store.vectors.spaces(name)).map(({ model }) => model))];
    const others = models.filter((model) => model !== embedder?.id);
    if (models.length > 1)
      warnings.push(
        `Graph ${name}: its texts have vectors of several models: ${models.join(', ')}. Processes with different embedders share it, or one is still replacing the vectors of another. To keep only those of the embedder here, run: trellis embed --again --graph ${shellQuote(name)} --store ${shellQuote(store.location)}`,
      );
    else if (embedder !== null && others.length > 0)
      warnings.push(
        `Graph ${name}: its texts have vectors of ${others.join(', ')}, but the embedder here is ${embedder.id}: it replaces them once a server or trellis embed runs with it.`,
      );
  }
  return warnings;
}

/** The configured file only initialises an empty graph, so the schema in force may differ. */
async function graphSchemaWarnings(store: Store, { config, graphs }: Settings): Promise<string[]> {
  const names = await graphNames(store);
  const warnings: string[] = [];
  for (const [graph, { schema }] of graphs) {
    if (schema.value === undefined || !names.includes(graph)) continue;
    try {
      const state = await compareSchemaFile(store, graph, await readGraphSchemaFile(schema.value));
      if (state !== 'different') continue;
      const flags = ['--graph', graph, '--store', store.location, '--config', config.value ?? ''];
      warnings.push(
        `The graph ${graph} has another schema than ${schema.value} (${schema.source}). See what differs with trellis schema plan, and change it with: trellis schema apply ${flags.map(shellQuote).join(' ')}`,
      );
    } catch (thrown) {
      warnings.push(asTrellisError(thrown).message);
    }
  }
  return warnings;
}

async function storedQueryProblems(store: Store, configured: Settings['graphs']): Promise<string[]> {
  const names = await graphNames(store);
  const found: string[] = [];
  for (const [graph, { queries }] of configured) {
    if (queries.length === 0 || !names.includes(graph)) continue;
    const schema = await store.read({ graph }, (reader) => reader.schema());
    const { problems } = await readStoredQueries(queries, schema);
    found.push(...problems.map((problem) => `A stored query of the graph ${graph} is broken: ${problem}`));
  }
  return found;
}
