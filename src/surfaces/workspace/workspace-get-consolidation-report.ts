import { z } from 'zod';
import { Deadline } from '../../bounds/deadline.js';
import {
  type ConsolidationFindings,
  findConsolidationWork,
} from '../../consolidation/consolidation-findings.js';
import { draftSummary } from '../../consolidation/draft-summary.js';
import type { ModelWriter } from '../../consolidation/model-writer.js';
import { draftPrompt, rationalePrompt } from '../../consolidation/prompts.js';
import type { RedactableText } from '../../model/error.js';
import { workspaceLimits } from '../../model/limits.js';
import type { GraphSearch } from '../../search/graph-search.js';
import type { SimilarNodesResult } from '../../search/similar/similar-nodes.js';
import { pageExtras } from '../common-shapes.js';
import { defineTool, type Tool } from '../tool.js';
import { reads } from '../tool-annotations.js';
import { isoTime, time, warnings } from './workspace-shapes.js';

const defaultLimit = 50;
const lookBackMs = 30 * 86_400_000;
/** As in find_similar_nodes. */
const minScore = 0.75;
/** The report takes at most this long, and this share of the time for a read. */
const mostMs = 24_000;
const shareOfCall = 0.8;
/** Shares of that time: for comparing nodes, and for all reading. The rest is for the model. */
const comparingShare = 0.4;
const readingShare = 0.7;

const output = z.object({
  stale_summaries: z.array(
    z.object({
      name: z.string(),
      entity_type: z.string(),
      last_modified: time,
      observation_count: z.int(),
      draft_summary: z.string().nullable(),
    }),
  ),
  relation_candidates: z.array(
    z.object({
      node_a: z.string(),
      node_b: z.string(),
      similarity_score: z.number(),
      rationale: z.string().nullable(),
    }),
  ),
  orphaned_nodes: z.array(z.object({ name: z.string(), entity_type: z.string(), updated_at: time })),
  cluster_summary: z.array(
    z.object({
      cluster_id: z.int(),
      node_names: z.array(z.string()).describe('The most connected first'),
      centroid_label: z.string().nullable(),
    }),
  ),
  event_summary: z.object({ since: time, creates: z.int(), updates: z.int(), deletes: z.int() }),
  warnings,
});

export function workspaceGetConsolidationReport(search: GraphSearch, writer: ModelWriter | null): Tool {
  return defineTool({
    name: 'get_consolidation_report',
    title: 'Get consolidation report',
    description:
      'Report where the workspace needs attention: nodes without an up-to-date summary, with a draft; pairs of similar ' +
      'nodes that may need a relation; nodes without relations; clusters; and how much changed in the last 30 days. ' +
      'These are candidates: check each before you act on it.',
    input: z.object({
      limit: z
        .int()
        .min(1)
        .max(workspaceLimits.reportItems)
        .default(defaultLimit)
        .describe('At most this many items in each part, and names in each cluster'),
    }),
    output,
    annotations: reads,
    action: 'read',
    async run({ graph, now, redactor, remainingMs }, { limit }) {
      const deadline = new Deadline(Math.min(mostMs, remainingMs() * shareOfCall));
      const reading = writer === null ? deadline : deadline.fraction(readingShare);
      const comparing = deadline.fraction(comparingShare);
      const similar = await comparing.wait(search.similar());
      const { found, doubts } = await graph.read(
        async (reader) => {
          const { pairs, degraded, warnings } =
            similar === undefined
              ? noComparison
              : await similar(reader, { limit, minScore, deadline: comparing });
          const since = now() - lookBackMs;
          return {
            found: await findConsolidationWork(reader, { since, limit, similar: pairs, deadline: reading }),
            doubts: degraded === undefined ? warnings : [redactor.redactText(degraded)],
          };
        },
        { length: 'thorough' },
      );
      // Outside the read, which should not wait for a model.
      const written = writer === null ? undefined : await writeTexts(writer, found, deadline);
      const crowded = found.clusters.filter(({ names }) => names.length > limit).length;
      const said = [
        ...found.warnings,
        ...(crowded > 0 ? [`node_names has the ${limit} most connected of ${crowded} larger clusters.`] : []),
        ...doubts.map((doubt) => `relation_candidates: ${doubt}`),
        ...(written?.warnings ?? []),
        ...(written?.failure === undefined ? [] : [redactor.redactText(written.failure)]),
      ];
      return { ...reportOf(found, written, limit), ...pageExtras({ warnings: said }) };
    },
  });
}

const noComparison: SimilarNodesResult = { pairs: [], warnings: ['the embedder did not answer in time.'] };

/** In the order of the findings. */
interface ModelTexts {
  readonly drafts: readonly (string | null)[];
  readonly rationales: readonly (string | null)[];
  readonly warnings: readonly string[];
  readonly failure?: RedactableText | undefined;
}

async function writeTexts(
  writer: ModelWriter,
  found: ConsolidationFindings,
  deadline: Deadline,
): Promise<ModelTexts> {
  const prompts = [
    ...found.stale.map(({ node, texts }) => texts && draftPrompt(node, texts)),
    ...found.candidates.map((candidate) => candidate.texts && rationalePrompt(candidate, candidate.texts)),
  ];
  const asked = prompts.filter((prompt) => prompt !== undefined);
  const { texts, warnings, failure } = await writer.write(asked, deadline);
  const answers = texts.values();
  const all = prompts.map((prompt) => (prompt === undefined ? null : (answers.next().value ?? null)));
  const drafts = all.slice(0, found.stale.length);
  return { drafts, rationales: all.slice(found.stale.length), warnings, failure };
}

function reportOf(found: ConsolidationFindings, written: ModelTexts | undefined, limit: number) {
  return {
    stale_summaries: found.stale.map(({ node, updatedAt, observations, texts }, index) => ({
      name: node.name,
      entity_type: node.type,
      last_modified: isoTime(updatedAt),
      observation_count: observations,
      draft_summary: written === undefined ? draftSummary(texts ?? []) : (written.drafts[index] ?? null),
    })),
    relation_candidates: found.candidates.map(({ a, b, similarity }, index) => ({
      node_a: a.name,
      node_b: b.name,
      similarity_score: similarity,
      rationale: written?.rationales[index] ?? null,
    })),
    orphaned_nodes: found.orphans.map(({ node, updatedAt }) => ({
      name: node.name,
      entity_type: node.type,
      updated_at: isoTime(updatedAt),
    })),
    cluster_summary: found.clusters.map(({ names, label }, index) => ({
      cluster_id: index + 1,
      node_names: names.slice(0, limit),
      centroid_label: label,
    })),
    event_summary: { ...found.events, since: isoTime(found.events.since) },
  };
}
