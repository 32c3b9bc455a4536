import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { api } from '../../api/graph-api.js';
import type { NodeRef } from '../../api/types.js';
import { Loading } from '../../parts/loading.js';
import { NodeLink } from '../../parts/node-link.js';
import { branchName, graphName } from '../../state/address.js';
import { useLoad } from '../../state/use-load.js';

interface Findings {
  readonly stale_summaries: readonly NodeRef[];
  readonly gaps: readonly { readonly node: NodeRef; readonly referenced: NodeRef }[];
  readonly near_duplicates: readonly {
    readonly a: NodeRef;
    readonly b: NodeRef;
    readonly similarity: number;
  }[];
  readonly orphans: readonly NodeRef[];
}

const mostFindings = 20;

/** Comparing all nodes takes a while, so it happens when somebody asks for it. */
export function FindingsSection() {
  const [isAsked, setAsked] = useState(false);
  if (isAsked) return <FindingsList />;
  return (
    <p>
      <button type="button" onClick={() => setAsked(true)}>
        Look for nodes that need care
      </button>
    </p>
  );
}

/** What consolidation found: nothing is wrong, but somebody should look. */
function FindingsList() {
  const found = useLoad(
    ['findings', graphName.value, branchName.value],
    (signal) => api.value.get<Findings>(['findings'], { limit: mostFindings }, signal),
    { isLive: false },
  );
  return (
    <Loading from={found}>
      {({ near_duplicates, gaps, orphans, stale_summaries }) => (
        <section aria-labelledby="findings">
          <h2 id="findings">Needs care</h2>
          {near_duplicates.length + gaps.length + orphans.length + stale_summaries.length === 0 && (
            <p class="muted">Nothing.</p>
          )}
          <Kind title="Nodes that say similar things" count={near_duplicates.length}>
            {near_duplicates.map(({ a, b, similarity }) => (
              <li key={JSON.stringify([a, b])} class="entry">
                <NodeLink node={a} /> and <NodeLink node={b} />{' '}
                <span class="muted">{Math.round(100 * similarity)} % similar</span>
              </li>
            ))}
          </Kind>
          <Kind title="Nodes that mention each other without a relation" count={gaps.length}>
            {gaps.map(({ node, referenced }) => (
              <li key={JSON.stringify([node, referenced])} class="entry">
                <NodeLink node={node} /> mentions <NodeLink node={referenced} />
              </li>
            ))}
          </Kind>
          <Kind title="Nodes without relations" count={orphans.length}>
            {orphans.map((node) => (
              <li key={JSON.stringify([node.type, node.name])} class="entry">
                <NodeLink node={node} />
              </li>
            ))}
          </Kind>
          <Kind title="Summaries that are missing or out of date" count={stale_summaries.length}>
            {stale_summaries.map((node) => (
              <li key={JSON.stringify([node.type, node.name])} class="entry">
                <NodeLink node={node} />
              </li>
            ))}
          </Kind>
        </section>
      )}
    </Loading>
  );
}

interface KindProps {
  readonly title: string;
  readonly count: number;
  readonly children: ComponentChildren;
}

function Kind({ title, count, children }: KindProps) {
  if (count === 0) return null;
  return (
    <details class="card">
      <summary>
        {title} <span class="muted">{count >= mostFindings ? `${mostFindings} or more` : count}</span>
      </summary>
      <ul class="plain-list">{children}</ul>
    </details>
  );
}
