import type { Deadline } from '../bounds/deadline.js';
import { orphanNodes, pendingSummaries } from '../engine/read/list-nodes.js';
import type { ModifiedNode } from '../engine/read/recently-modified.js';
import type { Node } from '../model/node.js';
import type { SimilarNodePair } from '../search/similar/similar-nodes.js';
import type { Reader } from '../store/reader.js';
import { type Cluster, findClusters } from './find-clusters.js';

export interface StaleNode extends ModifiedNode {
  readonly observations: number;
  /** Undefined if time ran out. */
  readonly texts: readonly string[] | undefined;
}

interface RelationCandidate extends SimilarNodePair {
  /** Undefined if time ran out. */
  readonly texts: { readonly ofA: readonly string[]; readonly ofB: readonly string[] } | undefined;
}

export interface ConsolidationFindings {
  readonly stale: readonly StaleNode[];
  readonly candidates: readonly RelationCandidate[];
  readonly orphans: readonly ModifiedNode[];
  readonly clusters: readonly Cluster[];
  readonly events: EventSummary;
  /** What is missing, and why. */
  readonly warnings: readonly string[];
}

interface ConsolidationOptions {
  readonly since: number;
  readonly limit: number;
  readonly similar: readonly SimilarNodePair[];
  /** Parts that take longer are left out, with a warning. */
  readonly deadline: Deadline;
}

/** Observations per node used for a draft or a rationale: the first and the last. */
const maxTexts = 400;

/** All reads of a report, on one state of the graph. */
export async function findConsolidationWork(
  reader: Reader,
  options: ConsolidationOptions,
): Promise<ConsolidationFindings> {
  const { limit, since, similar, deadline } = options;
  const pending = await pendingSummaries(reader, { limit });
  const alone = await orphanNodes(reader, { limit });
  const ids = [...pending.items.map(({ node }) => node.id), ...alone.items.map(({ id }) => id)];
  const updated = await reader.updatedAt(ids);
  const updatedAt = (node: Node) => updated.get(node.id) ?? node.createdAt;
  const stale: StaleNode[] = [];
  for (const { node, observations } of pending.items) {
    const texts = deadline.passed ? undefined : await readTexts(reader, node.id);
    stale.push({ node, observations, updatedAt: updatedAt(node), texts });
  }
  const candidates: RelationCandidate[] = [];
  for (const pair of similar) {
    const texts = deadline.passed
      ? undefined
      : { ofA: await readTexts(reader, pair.a.id), ofB: await readTexts(reader, pair.b.id) };
    candidates.push({ ...pair, texts });
  }
  const events = await eventSummary(reader, since, deadline);
  const grouped = await findClusters(reader, similar, deadline);
  const unread = [...stale, ...candidates].filter(({ texts }) => texts === undefined).length;
  return {
    stale,
    candidates,
    orphans: alone.items.map((node) => ({ node, updatedAt: updatedAt(node) })),
    clusters: grouped.clusters.slice(0, limit),
    events: events.summary,
    warnings: [
      ...truncationWarnings(
        'stale_summaries',
        pending.nextCursor !== undefined,
        limit,
        'get_pending_consolidation',
      ),
      ...truncationWarnings('orphaned_nodes', alone.nextCursor !== undefined, limit, 'get_orphans'),
      ...truncationWarnings('cluster_summary', grouped.clusters.length > limit, limit),
      ...(grouped.missing === undefined
        ? []
        : [`cluster_summary is empty: ${whyNoClusters[grouped.missing]}`]),
      ...(events.complete ? [] : ['event_summary covers only the newest commits because time ran out.']),
      ...(unread === 0
        ? []
        : [`Time ran out: the texts of ${unread} ${unread === 1 ? 'item' : 'items'} are null.`]),
    ],
  };
}

const whyNoClusters = {
  'too many': 'the workspace has too many relations to be clustered.',
  'out of time': 'clustering took too long.',
} as const;

function truncationWarnings(part: string, more: boolean, limit: number, tool?: string): string[] {
  if (!more) return [];
  const rest = tool === undefined ? 'increase limit for more' : `use ${tool} to page through all`;
  return [`${part} has the first ${limit}; ${rest}.`];
}

async function readTexts(reader: Reader, id: number): Promise<string[]> {
  const texts = (await reader.observationsOf([id])).map(({ text }) => text);
  return texts.length <= maxTexts ? texts : [...texts.slice(0, maxTexts / 2), ...texts.slice(-maxTexts / 2)];
}

interface EventSummary {
  readonly since: number;
  readonly creates: number;
  readonly updates: number;
  readonly deletes: number;
}

const batchSize = 1_000;

/** Sums the changes of all commits since a time; when time runs out, of the newest ones only. */
async function eventSummary(
  reader: Reader,
  since: number,
  deadline: Deadline,
): Promise<{ readonly summary: EventSummary; readonly complete: boolean }> {
  const total = { creates: 0, updates: 0, deletes: 0 };
  for (let before: number | undefined; ; ) {
    const commits = await reader.commits({ before, limit: batchSize });
    const recent = commits.filter(({ time }) => time >= since);
    for (const { counts } of recent) {
      total.creates += counts.nodesCreated + counts.observationsAdded + counts.edgesCreated;
      total.updates += counts.nodesUpdated + counts.observationsUpdated + counts.edgesUpdated;
      total.deletes += counts.nodesDeleted + counts.observationsDeleted + counts.edgesDeleted;
    }
    before = commits.at(-1)?.seq;
    // The commits of a branch are ordered by time.
    const complete = commits.length < batchSize || recent.length < commits.length;
    if (complete || deadline.passed) return { summary: { since, ...total }, complete };
  }
}
