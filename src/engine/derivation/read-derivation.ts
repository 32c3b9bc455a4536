import type { Provenance } from '../../model/provenance.js';
import type { Reader } from '../../store/reader.js';
import { findSources } from './find-sources.js';

export const derivationStates = ['node', 'commit', 'gone', 'repeated', 'unfollowed'] as const;

/** One of the facts that another was derived from. */
export interface DerivationStep {
  readonly reference: string;
  /** 1 for the sources of the fact itself, 2 for theirs. */
  readonly depth: number;
  /**
   * `gone`: nothing has this name any more; `repeated`: its sources are listed above; `unfollowed`: its sources are not
   * listed, because the chain is too long.
   */
  readonly state: (typeof derivationStates)[number];
  /** The lowest of what is stated there. */
  readonly confidence?: number;
  readonly source?: string;
}

const maxSteps = 200;
const maxDepth = 20;

/** The chain of sources, each before its own. Cycles end where they begin. */
export async function readDerivation(
  reader: Reader,
  provenance: Provenance | null,
): Promise<readonly DerivationStep[]> {
  const steps: DerivationStep[] = [];
  const seen = new Set<string>();
  const visit = async (references: readonly string[], depth: number): Promise<void> => {
    for (const found of await findSources(reader, references)) {
      if (steps.length > maxSteps) return;
      const { reference, nodes, isCommit } = found;
      const isRepeated = seen.has(reference);
      seen.add(reference);
      const stated = found.provenance.flatMap(({ confidence }) => confidence ?? []);
      const [source] = nodes.flatMap((node) => node.provenance?.source ?? []);
      const sources = isRepeated ? [] : sourcesIn(found.provenance);
      const isCut = steps.length >= maxSteps || (depth >= maxDepth && sources.length > 0);
      const state = isRepeated ? 'repeated' : isCommit ? 'commit' : nodes.length === 0 ? 'gone' : 'node';
      steps.push({
        ...{ reference, depth, state: isCut ? 'unfollowed' : state },
        ...(stated.length === 0 ? {} : { confidence: Math.min(...stated) }),
        ...(source === undefined ? {} : { source }),
      });
      if (!isCut && sources.length > 0) await visit(sources, depth + 1);
    }
  };
  await visit(sourcesIn(provenance === null ? [] : withProperties(provenance)), 1);
  return steps;
}

function withProperties(provenance: Provenance): readonly Provenance[] {
  return [provenance, ...Object.values(provenance.properties ?? {})];
}

function sourcesIn(stated: readonly Provenance[]): readonly string[] {
  return [...new Set(stated.flatMap(({ derived_from }) => derived_from ?? []))];
}
