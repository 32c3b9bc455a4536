import type { Node } from '../../../model/node.js';
import type { NodeDraft } from '../../drafts.js';
import type { StagedNodes } from '../../staged-nodes.js';
import type { ValidatedNode } from '../../write-validator.js';
import type { Executor } from '../executor.js';
import type { NodePropertyEntry } from '../properties/node-properties.js';
import type { IndexedProperty } from '../properties/property-index.js';
import type { NodeCounts } from './count-put-nodes.js';

/** What staged rows depend on. */
export interface StagingContext {
  readonly graph: number;
  readonly branch: number;
  readonly schema: string | null;
  readonly indexes: readonly IndexedProperty[];
}

interface StagedContent {
  /** The versions that are replaced. */
  readonly before: readonly Node[];
  readonly drafts: readonly NodeDraft[];
  /** The drafts with what the schema says of them. */
  readonly validated: readonly ValidatedNode[];
  readonly counts: NodeCounts;
  /** What the nodes can be found by from now on. */
  readonly properties: readonly NodePropertyEntry[];
  /** Drafts that were not staged, to be put as usual. */
  readonly others: readonly NodeDraft[];
}

/** Rows that a database keeps beside its tables, and what else the write of them has to do. */
export class StagedNodeRows implements StagedNodes {
  readonly #context: StagingContext;
  readonly content: StagedContent;
  /** What they can be written through; nothing else sees them. */
  readonly executor: Executor;
  /** Retires the current rows of the nodes, and inserts the staged ones with their entries in the property index. */
  readonly replaceRows: (seq: number) => Promise<void>;
  readonly release: () => Promise<void>;

  constructor(
    context: StagingContext,
    content: StagedContent,
    { executor, replaceRows, release }: Pick<StagedNodeRows, 'executor' | 'replaceRows' | 'release'>,
  ) {
    this.#context = context;
    this.content = content;
    this.executor = executor;
    this.replaceRows = replaceRows;
    this.release = release;
  }

  fits(executor: Executor, { graph, branch, schema, indexes }: StagingContext): boolean {
    const made = this.#context;
    return (
      this.executor === executor &&
      made.graph === graph &&
      made.branch === branch &&
      made.schema === schema &&
      made.indexes.length === indexes.length &&
      made.indexes.every(({ id }, index) => id === indexes[index]?.id)
    );
  }
}
