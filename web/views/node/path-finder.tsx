import { useState } from 'preact/hooks';
import { api } from '../../api/graph-api.js';
import type { NodeRef } from '../../api/types.js';
import { Loading } from '../../parts/loading.js';
import { NodeLink } from '../../parts/node-link.js';
import { NodePicker } from '../../parts/node-picker.js';
import { Text } from '../../parts/text.js';
import { address, branchName, graphName, setParams } from '../../state/address.js';
import { useLoad } from '../../state/use-load.js';

interface Path {
  readonly path: readonly NodeRef[] | null;
  readonly edges?: readonly { readonly type: string; readonly from: unknown; readonly to: unknown }[];
}

/** The shortest connection to another node. */
export function PathFinder({ node }: { readonly node: NodeRef }) {
  const [other, setOther] = useState<NodeRef>();
  const { to, to_type } = address.value.params;
  return (
    <section aria-labelledby="path">
      <h2 id="path">Path to another node</h2>
      <form
        class="row inline-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (other !== undefined) setParams({ to: other.name, to_type: other.type });
        }}
      >
        <NodePicker label="Node" onPick={setOther} />
        <button type="submit" disabled={other === undefined}>
          Find path
        </button>
      </form>
      {to !== undefined && <FoundPath from={node} to={{ name: to, type: to_type ?? '' }} />}
    </section>
  );
}

function FoundPath({ from, to }: { readonly from: NodeRef; readonly to: NodeRef }) {
  const query = { from: from.name, from_type: from.type, to: to.name, to_type: to.type };
  const found = useLoad(['path', graphName.value, branchName.value, query], (signal) =>
    api.value.get<Path>(['path'], query, signal),
  );
  return (
    <Loading from={found}>
      {({ path, edges = [] }) =>
        path === null ? (
          <p class="muted">
            There is no connection to <Text>{to.name}</Text>.
          </p>
        ) : (
          <ol class="plain-list row">
            {path.map((step, index) => (
              <li key={`${step.type}/${step.name}`}>
                <NodeLink node={step} />
                {index < path.length - 1 && (
                  <span class="relation">
                    {' '}
                    — <Text>{edges[index]?.type ?? ''}</Text> —
                  </span>
                )}
              </li>
            ))}
          </ol>
        )
      }
    </Loading>
  );
}
