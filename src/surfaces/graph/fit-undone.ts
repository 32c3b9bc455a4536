import { limits } from '../../model/limits.js';
import type { DescribedDiffWithSchema } from '../../schema/apply/describe-diff-with-schema.js';

interface UndoneOutput {
  readonly commit_id: string;
  readonly changes: DescribedDiffWithSchema;
  readonly left: Record<string, unknown>[];
  /** How many more changes and conflicts there are. */
  readonly more?: number;
}

interface FittedUndo {
  readonly undone: UndoneOutput[];
  /** How many more commits were undone. */
  readonly more?: number;
}

/** What can be undone has no limit, and its report must not fail when it has happened: it lists as much as fits. */
export function fitUndone(all: readonly UndoneOutput[], maxLength = limits.answerLength / 2): FittedUndo {
  // Indented JSON takes up to twice the space.
  let room = maxLength;
  const take = <T>(items: readonly T[]): T[] => {
    const end = items.findIndex((item) => {
      room -= JSON.stringify(item).length;
      return room < 0;
    });
    return end === -1 ? [...items] : items.slice(0, end);
  };
  const undone: UndoneOutput[] = [];
  for (const { changes, left, ...commit } of all) {
    if (room < 0) break;
    // What stays needs a decision, so it goes first.
    const shown = { left: take(left), nodes: take(changes.nodes), edges: take(changes.edges) };
    const more =
      left.length +
      changes.nodes.length +
      changes.edges.length -
      (shown.left.length + shown.nodes.length + shown.edges.length);
    undone.push({
      ...commit,
      changes: { ...changes, nodes: shown.nodes, edges: shown.edges },
      left: shown.left,
      ...(more === 0 ? {} : { more }),
    });
    room -= JSON.stringify([commit, changes.schema]).length;
  }
  return { undone, ...(undone.length === all.length ? {} : { more: all.length - undone.length }) };
}
