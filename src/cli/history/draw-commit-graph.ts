import type { Commit } from '../../model/commit.js';

export interface DrawnLine {
  readonly lanes: string;
  readonly commit?: Commit;
}

/** Newest first, with a lane for each line of history that continues. */
export function drawCommitGraph(commits: readonly Commit[]): DrawnLine[] {
  const lines: DrawnLine[] = [];
  /** The commit that each lane leads to. */
  const lanes: string[] = [];
  for (const commit of commits) {
    if (!lanes.includes(commit.id)) lanes.push(commit.id);
    const at = lanes.indexOf(commit.id);
    lines.push({ lanes: lanes.map((_, lane) => (lane === at ? '*' : '|')).join(' '), commit });
    follow(lanes, at, commit.parent, lines);
    const { mergedParent } = commit;
    if (mergedParent !== null && !lanes.includes(mergedParent)) {
      lanes.splice(at + 1, 0, mergedParent);
      lines.push({ lanes: bend(lanes, at + 1, '\\') });
    }
  }
  return lines;
}

function bend(lanes: readonly string[], at: number, sign: '/' | '\\'): string {
  const signs = lanes.map((_, lane) => (lane === at ? sign : '|')).join(' ');
  return signs.replace(` ${sign}`, `${sign} `).trimEnd();
}

/** A lane continues to the parent, or ends in the lane that already leads there. */
function follow(lanes: string[], at: number, parent: string | null, lines: DrawnLine[]): void {
  if (parent !== null && !lanes.includes(parent)) {
    lanes[at] = parent;
    return;
  }
  if (parent !== null) lines.push({ lanes: bend(lanes, at, '/') });
  lanes.splice(at, 1);
}
