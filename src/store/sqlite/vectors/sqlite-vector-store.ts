import type { Executor } from '../../sql/executor.js';
import { GraphCatalog } from '../../sql/graph-catalog.js';
import { readNumber } from '../../sql/rows.js';
import { raw, sql } from '../../sql/sql.js';
import type { GraphSpaceKey } from '../../sql/vectors/nearest-document-index.js';
import { saveNodePairs } from '../../sql/vectors/node-pairs/saved/save-node-pairs.js';
import { propertyModels, setPropertyModel } from '../../sql/vectors/property-models.js';
import { readSourceText, sourceColumns, textSources } from '../../sql/vectors/text-source.js';
import { countPurges, deleteVectors, putVectors } from '../../sql/vectors/text-vectors.js';
import {
  ensureSpace,
  findSpace,
  findSpaces,
  spaceGeneration,
  spacesOfGraph,
} from '../../sql/vectors/vector-spaces.js';
import type {
  NodePairsPatch,
  PendingText,
  TextVector,
  VectorSource,
  VectorSpace,
  VectorStore,
} from '../../vector-store.js';

interface VectorDatabase {
  read<T>(look: (executor: Executor) => Promise<T>): Promise<T>;
  transact<T>(change: (executor: Executor) => Promise<T>): Promise<T>;
}

/** The vectors of a SQLite database; a search scans them in memory. */
export class SqliteVectorStore implements VectorStore {
  readonly source: VectorSource | undefined;
  readonly #access: VectorDatabase;

  constructor(access: VectorDatabase, source?: VectorSource) {
    this.#access = access;
    this.source = source;
  }

  pending(graph: string, space: VectorSpace, limit: number): Promise<PendingText[]> {
    return this.#access.read(async (executor) =>
      pendingTexts(executor, await graphId(executor, graph), space, limit),
    );
  }

  put(graph: string, space: VectorSpace, vectors: readonly TextVector[]): Promise<void> {
    return this.#access.transact(async (executor) => {
      const key = { graph: await graphId(executor, graph), space: await ensureSpace(executor, space) };
      const stored = await putVectors(executor, key, vectors);
      // Right because there is one writer, so rows become visible in the order of their numbers.
      advanceProgress(executor, key, stored);
    });
  }

  spaces(graph: string): Promise<VectorSpace[]> {
    return this.#access.read(async (executor) => spacesOfGraph(executor, await graphId(executor, graph)));
  }

  generation(graph: string, space: VectorSpace): Promise<number | null> {
    return this.#access.read(async (executor) =>
      spaceGeneration(executor, await graphId(executor, graph), space),
    );
  }

  /** Nothing to do: vectors are scanned in memory, without an index. */
  async maintain(): Promise<void> {}

  propertyModels(graph: string): Promise<ReadonlyMap<string, string>> {
    return this.#access.read(async (executor) => propertyModels(executor, await graphId(executor, graph)));
  }

  setPropertyModel(graph: string, property: string, model: string): Promise<void> {
    return this.#access.transact(async (executor) =>
      setPropertyModel(executor, await graphId(executor, graph), property, model),
    );
  }

  saveNodePairs(graph: string, patch: NodePairsPatch): Promise<boolean> {
    return this.#access.transact(async (executor) =>
      saveNodePairs(executor, await graphId(executor, graph), patch),
    );
  }

  forget(graph: string, keep: readonly VectorSpace[] = []): Promise<void> {
    return this.#access.transact(async (executor) =>
      deleteVectors(executor, await graphId(executor, graph), await findSpaces(executor, keep)),
    );
  }
}

function graphId(executor: Executor, graph: string): Promise<number> {
  return new GraphCatalog(executor).requireGraph(graph);
}

/** Texts of a graph without a vector in the space, oldest first. */
async function pendingTexts(
  executor: Executor,
  graph: number,
  space: VectorSpace,
  limit: number,
): Promise<PendingText[]> {
  const id = (await findSpace(executor, space)) ?? 0;
  const purges = await countPurges(executor, graph);
  const found: PendingText[] = [];
  for (const source of textSources) {
    const { document, columns, real } = sourceColumns[source];
    const rows = await executor.all(
      sql`select ${raw(document)} as document, ${raw(columns)} from ${raw(source)} r
        where r.graph = ${graph} ${raw(real)} and r.row > coalesce((select p.upto from embedding_progress p
            where p.graph = ${graph} and p.space = ${id} and p.source = '${raw(source)}'), 0)
          and not exists (select 1 from text_vector v
            where v.graph = ${graph} and v.space = ${id} and v.document = ${raw(document)})
        order by r.row limit ${limit - found.length}`,
    );
    found.push(
      ...rows.map((row) => ({
        ...{ document: readNumber(row, 'document'), text: readSourceText(source, row), purges },
      })),
    );
    if (found.length >= limit) break;
  }
  return found;
}

/** Records that every row up to these has its vector. */
function advanceProgress(
  executor: Executor,
  { graph, space }: GraphSpaceKey,
  vectors: readonly TextVector[],
): void {
  for (const [parity, source] of textSources.entries()) {
    const documents = vectors.map(({ document }) => document).filter((document) => document % 2 === parity);
    if (documents.length === 0) continue;
    const upto = Math.floor(Math.max(...documents) / 2);
    executor.run(
      sql`delete from embedding_progress where graph = ${graph} and space = ${space} and source = ${source} and upto < ${upto}`,
    );
    executor.run(
      sql`insert into embedding_progress (graph, space, source, upto) values (${graph}, ${space}, ${source}, ${upto})
        on conflict (graph, space, source) do nothing`,
    );
  }
}
