import type { Node, NodeId } from '../../model/node.js';
import type { ObservationText, WordStatistics } from '../../store/answers.js';
import type { WordQuery } from '../../store/questions.js';
import type { Reader } from '../../store/reader.js';

/** How many texts are looked at for one query: enough that what is left out has common words of the query alone. */
const candidateRoom = 1_500;
/** With this many texts that have a rare word, those with common words alone need not be looked for. */
const enough = 500;

/** Which nodes a search is limited to. */
export type Within = Pick<WordQuery, 'types' | 'node'>;

/** Texts that may answer a query. */
export interface Candidates {
  readonly observations: readonly ObservationText[];
  /** Nodes that have words of the query in their own text. */
  readonly nodes: readonly Node[];
  /** Stems all of whose texts are here. */
  readonly complete: ReadonlySet<string>;
}

/** Collects the texts with any of the stems, those of the rarest first. */
export async function findCandidates(
  reader: Reader,
  stems: readonly string[],
  { texts }: WordStatistics,
  within: Within,
): Promise<Candidates> {
  const observations = new Map<string, ObservationText>();
  const nodes = new Map<NodeId, Node>();
  const add = async (wanted: readonly string[], match: 'all' | 'any', limit: number) => {
    const query = { ...within, match, limit };
    const [found, named] = await Promise.all([
      reader.observationsWithWords(wanted, query),
      reader.nodesWithWords(wanted, query),
    ]);
    for (const observation of found)
      observations.set(`${observation.node}/${observation.ordinal}`, observation);
    for (const node of named) nodes.set(node.id, node);
  };

  const frequency = (stem: string) => texts.get(stem) ?? 0;
  const known = stems.filter((stem) => frequency(stem) > 0).sort((a, b) => frequency(a) - frequency(b));
  let room = candidateRoom;
  const complete = new Set<string>();
  for (const stem of known) {
    if (frequency(stem) > room) break;
    room -= frequency(stem);
    complete.add(stem);
  }
  if (complete.size > 0) await add([...complete], 'any', candidateRoom);
  for (const together of fewer(known.slice(complete.size))) {
    if (observations.size >= enough) break;
    await add(together, 'all', candidateRoom - observations.size);
  }
  return { observations: [...observations.values()], nodes: [...nodes.values()], complete };
}

/** Of common stems, texts that have many say most: all of them, then the rarer half, down to the rarest alone. */
function fewer(stems: readonly string[]): (readonly string[])[] {
  const steps: (readonly string[])[] = [];
  for (let count = stems.length; count > 0; count = Math.floor(count / 2)) steps.push(stems.slice(0, count));
  return steps;
}
