import { groupEntries } from '../../model/group-entries.js';
import type { UnreadableFileLine } from './file-lines.js';
import type { NodeLineRecord } from './lines/line-record.js';

/** The observations of lines that repeat the name of an earlier one, by that name. */
export type RepeatedObservations = ReadonlyMap<string, readonly string[]>;

export function collectRepeatedObservations(unreadable: readonly UnreadableFileLine[]): RepeatedObservations {
  return groupEntries(
    unreadable.flatMap(({ repeats }) =>
      repeats?.kind === 'node' ? repeats.observations.map((text) => [repeats.key, text] as const) : [],
    ),
  );
}

/** Adds the observations that a node's own line lacks, as an import does. */
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

/** The names whose repeated lines have changed. */
export function namesWithChangedRepeats(before: RepeatedObservations, after: RepeatedObservations): string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => JSON.stringify(before.get(name)) !== JSON.stringify(after.get(name)));
}
