import { writeInChunks } from '../../../bounds/chunks.js';
import { forEachYielding } from '../../../bounds/yielding-loops.js';
import type { Node } from '../../../model/node.js';
import type { Order } from '../../../model/order.js';
import type { KnownRows, NodeDraft } from '../../drafts.js';
import type { WriteTarget } from '../../graph-targets.js';
import type { Executor } from '../../sql/executor.js';
import { GraphCatalog } from '../../sql/graph-catalog.js';
import { visibleGraphSchema } from '../../sql/graph-schema-versions.js';
import { type NodePropertyEntry, newNodeProperties } from '../../sql/properties/node-properties.js';
import { entriesOfNode, listIndexedProperties } from '../../sql/properties/property-index.js';
import { countPutNodes } from '../../sql/write/count-put-nodes.js';
import { nodeContentValues } from '../../sql/write/row-values.js';
import { StagedNodeRows, type StagingContext } from '../../sql/write/staged-node-rows.js';
import type { CompiledGraphSchema, ValidatedNode } from '../../write-validator.js';
import { ScratchRows } from './scratch-rows.js';
import { WriteThread } from './write-thread.js';

/** Fewer nodes are not worth it. */
const fewestNodes = 1_000;

/** A new version of a node, with all that its row needs to have. */
interface ReplacingDraft extends NodeDraft {
  readonly order: Order;
  readonly createdAt: number;
}

interface NodeStagingOptions {
  readonly read: <T>(look: (executor: Executor) => Promise<T>) => Promise<T>;
  readonly compileGraphSchema: (source: string) => Promise<CompiledGraphSchema>;
}

/**
 * Works out the rows of new versions of nodes before their write begins, so that others wait for little more than what SQLite
 * itself takes to store them.
 */
export class NodeStaging {
  readonly #path: string;
  readonly #options: NodeStagingOptions;
  #isUsed = false;

  constructor(path: string, options: NodeStagingOptions) {
    this.#path = path;
    this.#options = options;
  }

  /** Undefined if it is not worth it, not possible, or another write has staged rows. */
  async stage(
    target: WriteTarget,
    drafts: readonly NodeDraft[],
    known: KnownRows,
  ): Promise<StagedNodeRows | undefined> {
    const isReplacing = (draft: NodeDraft): draft is ReplacingDraft =>
      draft.order !== undefined && draft.createdAt !== undefined && known.current(draft.id) !== undefined;
    const [replacing, others]: [ReplacingDraft[], NodeDraft[]] = [[], []];
    await forEachYielding(drafts, (draft) => {
      if (isReplacing(draft)) replacing.push(draft);
      else others.push(draft);
    });
    if (replacing.length < fewestNodes) return undefined;
    // The order of the indexes: neighbours are quicker to store together.
    replacing.sort((a, b) => a.id - b.id);
    const context = await this.#options.read((executor) => readContext(executor, target));
    if (context === undefined || this.#isUsed) return undefined;
    this.#isUsed = true;
    const thread = new WriteThread(this.#path);
    const release = async () => {
      await thread.close();
      this.#isUsed = false;
    };
    try {
      const rows = new ScratchRows(thread, context);
      const content = await this.#fill(rows, context, replacing, known);
      const replaceRows = (seq: number) => rows.replace(thread, seq);
      return new StagedNodeRows(context, { ...content, others }, { executor: thread, replaceRows, release });
    } catch (error) {
      await release();
      throw error;
    }
  }

  async #fill(
    rows: ScratchRows,
    { graph, schema, indexes }: StagingContext,
    given: readonly ReplacingDraft[],
    known: KnownRows,
  ) {
    const validator =
      schema === null ? undefined : (await this.#options.compileGraphSchema(schema)).newValidator();
    const before: Node[] = [];
    const valid: NodeDraft[] = [];
    const validated: ValidatedNode[] = [];
    const properties: NodePropertyEntry[] = [];
    const counts = { nodesCreated: 0, nodesUpdated: 0 };
    await writeInChunks(given, async (some) => {
      const replaced = some.flatMap(({ id }) => known.current(id) ?? []);
      const checked = validator?.validateNodes(some, replaced);
      const drafts = checked?.map(({ draft }) => draft) ?? some;
      const { nodesCreated, nodesUpdated } = countPutNodes(drafts, replaced);
      counts.nodesCreated += nodesCreated;
      counts.nodesUpdated += nodesUpdated;
      before.push(...replaced);
      valid.push(...drafts);
      validated.push(...(checked ?? []));
      properties.push(...newNodeProperties(graph, drafts, replaced, known));
      await rows.add(
        drafts.map((draft, index) => {
          const { order, createdAt } = some[index] as ReplacingDraft;
          return {
            values: [draft.id, ...nodeContentValues(draft, createdAt, order)],
            entries: entriesOfNode(indexes, draft),
          };
        }),
      );
    });
    await rows.filled();
    return { before, drafts: valid, validated, counts, properties };
  }
}

/** Undefined for a branch that inherits: its rows may be a parent's, which only reading them tells. */
async function readContext(
  executor: Executor,
  { graph, branch }: WriteTarget,
): Promise<StagingContext | undefined> {
  const lineage = await new GraphCatalog(executor).lineage({ graph, branch });
  const [head, ...inherited] = lineage.levels;
  if (inherited.length > 0) return undefined;
  return {
    graph: lineage.graph,
    branch: head.branch,
    schema: await visibleGraphSchema(executor, lineage),
    indexes: await listIndexedProperties(executor, lineage.graph),
  };
}
