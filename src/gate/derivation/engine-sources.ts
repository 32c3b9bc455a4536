import { findSources } from '../../engine/derivation/find-sources.js';
import { compareText } from '../../model/order.js';
import type { Reader } from '../../store/reader.js';
import type { KnownSource, SourceLabel, UnknownSource } from '../gate-target.js';
import { filterSimilarSpelling } from '../similar-spelling.js';

/** Enough to find a typo, few enough to be cheap. */
const maxLabels = 20;
const maxCandidates = 5;

export async function engineSources(
  reader: Reader,
  references: readonly string[],
  labels: readonly SourceLabel[],
): Promise<readonly (KnownSource | UnknownSource)[]> {
  const found = await findSources(reader, references);
  return Promise.all(
    found.map(async ({ reference, nodes, isCommit, provenance }) => {
      if (nodes.length === 1 || isCommit) return { reference, provenance };
      return {
        reference,
        suggestions:
          nodes.length > 1
            ? nodes.map(({ type, name }) => `${type}:${name}`).sort(compareText)
            : await similarNames(reader, reference, labels),
      };
    }),
  );
}

async function similarNames(
  reader: Reader,
  reference: string,
  labels: readonly SourceLabel[],
): Promise<readonly string[]> {
  const candidates = [];
  for (const { label } of labels.slice(0, maxLabels))
    candidates.push(...(await reader.nodesSpeltLike(label, reference, maxCandidates)));
  const similar = filterSimilarSpelling(
    reference,
    candidates.map(({ name }) => ({ name, keys: { name } })),
  );
  return [...new Set(similar.map(({ name }) => name))];
}
