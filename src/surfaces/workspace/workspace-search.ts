import type { Deadline } from '../../bounds/deadline.js';
import type { SimilarPair } from '../../consolidation/find-clusters.js';
import type { RedactableText } from '../../model/error.js';
import type { Node, NodeId } from '../../model/node.js';
import type { Reader } from '../../store/reader.js';
import type { Redactor } from '../call-context.js';

export const searchModes = ['embedding', 'text', 'hybrid'] as const;
export type SearchMode = (typeof searchModes)[number];

/** A text that answers a query. */
export interface WorkspaceSearchHit {
  readonly node: Node;
  /** Null: the text is the node's name or summary. */
  readonly ordinal: number | null;
  readonly text: string;
  readonly score: number;
  /** The perspective it was found in; null where none was asked. */
  readonly perspective: string | null;
}

/** What was found, best first. */
export interface WorkspaceSearchPage {
  readonly hits: readonly WorkspaceSearchHit[];
  readonly nextCursor?: string | undefined;
  /** On the last page: what may be missing, and why. */
  readonly missing?: string | undefined;
  /** How many observations cannot be found by meaning yet. */
  readonly waiting?: number | undefined;
  /** Why it was found in another way than asked. */
  readonly degraded?: RedactableText | undefined;
}

export interface WorkspaceSearchRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** Only this node and its observations. */
  readonly node?: NodeId;
  /** Only the best text of each node. */
  readonly perNode?: boolean;
}

export interface WorkspaceSimilarRequest {
  readonly limit: number;
  readonly minScore: number;
  /** When to answer with what was found by then. */
  readonly deadline: Deadline;
}

export interface SimilarNodes {
  readonly pairs: readonly SimilarPair[];
  /** How many observations could not be compared yet. */
  readonly waiting?: number | undefined;
  readonly degraded?: RedactableText | undefined;
  /** What may be missing, and why. */
  readonly warnings: readonly string[];
}

/** What is left to do once nothing has to be waited for but the store. */
export type PreparedSearch<Request, Answer> = (reader: Reader, request: Request) => Promise<Answer>;

/**
 * How this surface searches: what it needs of `search/`. Each search gets ready first, since an embedder may take its time,
 * and then works on one state of the graph.
 */
export interface WorkspaceSearch {
  find(query: string, mode: SearchMode): Promise<PreparedSearch<WorkspaceSearchRequest, WorkspaceSearchPage>>;
  /** Pairs of nodes that say similar things and that no edge connects, the most similar first. */
  similar(): Promise<PreparedSearch<WorkspaceSimilarRequest, SimilarNodes>>;
  /** The part of the observations that can be found by meaning. */
  coverage(): Promise<(reader: Reader) => Promise<number>>;
}

/** How an answer says that it was found in another way than asked, or that something may be missing from it. */
export function searchWarnings(
  {
    degraded,
    missing,
    waiting,
    warnings = [],
  }: Pick<WorkspaceSearchPage, 'degraded' | 'missing' | 'waiting'> & Partial<Pick<SimilarNodes, 'warnings'>>,
  redactor: Redactor,
): {
  degraded?: boolean;
  warnings?: string[];
} {
  const also = missing === undefined ? [] : [missing];
  if (degraded !== undefined) return { degraded: true, warnings: [redactor.redactText(degraded), ...also] };
  const said = [...(waiting === undefined ? [] : [notEmbeddedWarning(waiting)]), ...warnings, ...also];
  return said.length === 0 ? {} : { warnings: said };
}

function notEmbeddedWarning(waiting: number): string {
  const texts = waiting === 1 ? '1 observation is' : `${waiting} observations are`;
  return `${texts} not embedded yet and can be found only with mode text.`;
}
