import type { UnreadableFileLine } from './file-lines.js';
import type { NodeLineRecord } from './lines/line-record.js';

/** What lines say of nodes that earlier lines describe already, by the name of the node. */
export type RepeatedObservations = ReadonlyMap<string, readonly string[]>;

export function collectRepeatedObservations(unreadable: readonly UnreadableFileLine[]): RepeatedObservations {
  const facts = new Map<string, string[]>();
  for (const { repeats } of unreadable) {
    if (repeats?.kind !== 'node') continue;
    const texts = facts.get(repeats.key);
    if (texts === undefined) facts.set(repeats.key, [...repeats.observations]);
    else texts.push(...repeats.observations);
  }
  return facts;
}

/** A node as its own line and those that repeat it describe it: they add the observations it lacks, as an import does. */
export function withRepeatedObservations(
  record: NodeLineRecord,
  facts: RepeatedObservations,
): NodeLineRecord {
  const repeated = facts.get(record.name);
  if (repeated === undefined) return record;
  const own = new Set(record.observations);
  const added = [...new Set(repeated)].filter((text) => !own.has(text));
  return added.length === 0 ? record : { ...record, observations: [...record.observations, ...added] };
}

/** The names of which lines now say something else than before beside their own. */
export function namesWithChangedRepeats(before: RepeatedObservations, after: RepeatedObservations): string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => JSON.stringify(before.get(name)) !== JSON.stringify(after.get(name)));
}
