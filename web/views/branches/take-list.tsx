import type { Changes, NodeChange } from '../../api/types.js';
import { ChangesList, EdgeText } from '../../parts/changes-list.js';
import { Text } from '../../parts/text.js';
import { edgeId, idsOf, nodeId } from './branch-changes.js';

interface Props {
  readonly changes: Changes;
  /** What the merge leaves out. */
  readonly left: ReadonlySet<string>;
  readonly onLeave: (left: ReadonlySet<string>) => void;
}

/** Every change of the branch, each with a box that says whether to take it. */
export function TakeList({ changes, left, onLeave }: Props) {
  const { schema, nodes, edges } = changes;
  const count = nodes.length + edges.length;
  const toggle = (id: string, along: readonly string[] = []) => {
    const next = new Set(left);
    if (next.delete(id)) onLeave(next);
    else onLeave(new Set([...next, id, ...along]));
  };
  /** A relation of a new node makes no sense without it. */
  const edgesOf = ({ name, change }: NodeChange) =>
    edges.filter(({ from, to }) => change === 'added' && (from === name || to === name)).map(edgeId);
  return (
    <section aria-labelledby="take">
      <div class="row spread">
        <h2 id="take">
          {count === 1 ? 'One change' : `${count} changes`}, {count - left.size} taken
        </h2>
        <span class="row">
          <button type="button" onClick={() => onLeave(new Set())}>
            Take all
          </button>
          <button type="button" onClick={() => onLeave(new Set(idsOf(changes)))}>
            Take none
          </button>
        </span>
      </div>
      {schema !== undefined && <ChangesList changes={{ schema, nodes: [], edges: [] }} />}
      {nodes.map((node) => (
        <div key={nodeId(node)} class="take">
          <input
            type="checkbox"
            aria-label={`Take the change of ${node.name}`}
            checked={!left.has(nodeId(node))}
            onChange={() => toggle(nodeId(node), edgesOf(node))}
          />
          <ChangesList changes={{ nodes: [node], edges: [] }} />
        </div>
      ))}
      {edges.map((edge) => (
        <label key={edgeId(edge)} class="take">
          <input type="checkbox" checked={!left.has(edgeId(edge))} onChange={() => toggle(edgeId(edge))} />
          <span>
            <span class={`badge ${edge.change}`}>
              <Text>{edge.change}</Text>
            </span>{' '}
            <EdgeText edge={edge} />
          </span>
        </label>
      ))}
    </section>
  );
}
