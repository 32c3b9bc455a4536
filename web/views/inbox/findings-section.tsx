import { useState } from 'preact/hooks';
import { api } from '../../api/graph-api.js';
import type { NodeRef } from '../../api/types.js';
import { Loading } from '../../parts/loading.js';
import { branchName, graphName } from '../../state/address.js';
import { reviewed, showDismissed } from '../../state/reviewed.js';
import { useLoad } from '../../state/use-load.js';
import { Finding } from './finding.js';

interface Findings {
  readonly stale_summaries: readonly (NodeRef & { readonly updated_at: string })[];
  readonly gaps: readonly { readonly node: NodeRef; readonly referenced: NodeRef; readonly count: number }[];
  readonly near_duplicates: readonly {
    readonly a: NodeRef;
    readonly b: NodeRef;
    readonly similarity: number;
  }[];
  readonly orphans: readonly NodeRef[];
  readonly skipped?: true;
}

const mostFindings = 20;
/** Larger graphs are compared when the reader asks for it. */
const mostNodes = 2_000;

/** What consolidation found: nothing is wrong, but somebody should look. */
export function FindingsSection() {
  const [isAsked, setAsked] = useState(false);
  const max_nodes = isAsked ? undefined : mostNodes;
  const found = useLoad(
    ['findings', graphName.value, branchName.value, isAsked],
    (signal) => api.value.get<Findings>(['findings'], { limit: mostFindings, max_nodes }, signal),
    { isLive: false },
  );
  return (
    <Loading from={found} isOptional={!isAsked}>
      {(findings) =>
        findings.skipped ? (
          <p>
            <button type="button" onClick={() => setAsked(true)}>
              Look for nodes that need care
            </button>{' '}
            <span class="muted">
              This branch has more than {mostNodes.toLocaleString()} nodes, so comparing them takes a while.
            </span>
          </p>
        ) : (
          <FindingsList findings={findings} />
        )
      }
    </Loading>
  );
}

function FindingsList({ findings }: { readonly findings: Findings }) {
  const { near_duplicates, gaps, orphans, stale_summaries } = findings;
  const { dismissed } = reviewed.value;
  const kinds: readonly KindProps[] = [
    {
      title: 'Nodes that say similar things',
      entries: near_duplicates.map(({ a, b, similarity }) => ({
        ...{ id: idOf('duplicate', a, b), nodes: [a, b] },
        note: `is ${Math.round(100 * similarity)} % similar to`,
      })),
    },
    {
      title: 'Nodes that mention each other without a relation',
      entries: gaps.map(({ node, referenced, count }) => ({
        ...{ id: idOf('gap', node, referenced), nodes: [node, referenced] },
        note: count === 1 ? 'mentions' : `mentions ${count} times`,
      })),
    },
    {
      title: 'Nodes without relations',
      entries: orphans.map((node) => ({ id: idOf('orphan', node), nodes: [node] })),
    },
    {
      title: 'Summaries that are missing or out of date',
      // What changes later makes an accepted summary worth another look.
      entries: stale_summaries.map((node) => ({ id: idOf(`stale ${node.updated_at}`, node), nodes: [node] })),
    },
  ];
  const isAccepted = ({ id }: Entry) => dismissed.includes(id);
  const open = kinds.map(({ title, entries }) => ({
    ...{ title, isMore: entries.length >= mostFindings },
    entries: entries.filter((entry) => !isAccepted(entry)),
  }));
  const hasAccepted = kinds.some(({ entries }) => entries.some(isAccepted));
  return (
    <section aria-labelledby="findings">
      <h2 id="findings">Needs care</h2>
      {open.every(({ entries }) => entries.length === 0) && <p class="muted">Nothing.</p>}
      {open.map((kind) => (
        <Kind key={kind.title} {...kind} />
      ))}
      {hasAccepted && (
        <button type="button" class="plain" onClick={showDismissed}>
          Show what I accepted
        </button>
      )}
    </section>
  );
}

interface Entry {
  readonly id: string;
  readonly nodes: readonly NodeRef[];
  readonly note?: string;
}

interface KindProps {
  readonly title: string;
  readonly entries: readonly Entry[];
  readonly isMore?: boolean;
}

function Kind({ title, entries, isMore = false }: KindProps) {
  if (entries.length === 0) return null;
  return (
    <details class="card">
      <summary>
        {title}{' '}
        <span class="muted">
          {entries.length}
          {isMore && ' or more'}
        </span>
      </summary>
      <ul class="plain-list entries">
        {entries.map((entry) => (
          <Finding key={entry.id} {...entry} />
        ))}
      </ul>
    </details>
  );
}

function idOf(kind: string, ...nodes: readonly NodeRef[]): string {
  return JSON.stringify([kind, ...nodes.map(({ type, name }) => [type, name])]);
}
