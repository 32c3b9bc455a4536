import type { ChangeKind, Commit, NodeRef, RecentChange } from '../../api/types.js';

/** What one actor did to one node, in one or more commits. */
export interface InboxEntry {
  /** Accepted as a whole. */
  readonly keys: readonly string[];
  /** Undefined for commits that changed only relations or the schema. */
  readonly node: NodeRef | undefined;
  readonly change: ChangeKind;
  /** Newest first. */
  readonly commits: readonly Commit[];
}

export interface ActorGroup {
  readonly actor: string;
  readonly entries: readonly InboxEntry[];
}

interface Options {
  readonly reviewedSeq: number;
  readonly accepted: readonly string[];
  /** Commits that the reader made here need no review. */
  readonly isOwn: (commit: Commit) => boolean;
}

/** Unreviewed changes, by actor and node, in the order of the newest. */
export function groupChanges(changes: readonly RecentChange[], options: Options): readonly ActorGroup[] {
  const accepted = new Set(options.accepted);
  const actors = new Map<string, Map<string, InboxEntry>>();
  for (const { commit, nodes } of changes) {
    if (commit.seq <= options.reviewedSeq || options.isOwn(commit)) continue;
    const touched = nodes.length > 0 ? nodes : [undefined];
    for (const node of touched) {
      const subject = node === undefined ? commit.commit_id : `${node.type}/${node.name}`;
      const key = `${commit.commit_id} ${subject}`;
      if (accepted.has(key)) continue;
      const entries = actors.get(commit.actor_id) ?? new Map<string, InboxEntry>();
      actors.set(commit.actor_id, entries);
      const known = entries.get(subject);
      entries.set(subject, {
        node: node === undefined ? undefined : { name: node.name, type: node.type },
        keys: [...(known?.keys ?? []), key],
        change: combined(known?.change, node?.change ?? 'changed'),
        commits: [...(known?.commits ?? []), commit],
      });
    }
  }
  return [...actors].map(([actor, entries]) => ({ actor, entries: [...entries.values()] }));
}

/** A node that was added and then changed is new to the reader. */
function combined(newer: ChangeKind | undefined, older: ChangeKind): ChangeKind {
  if (newer === undefined || newer === 'removed') return newer ?? older;
  return older === 'added' ? 'added' : newer;
}
