import type { NodeRef } from '../../api/types.js';
import { NodeLink } from '../../parts/node-link.js';
import { ParamInput } from '../../parts/param-input.js';
import { Text } from '../../parts/text.js';
import { linkTo } from '../../state/address.js';
import type { DrawnGraph } from './graph-model.js';

interface Filter {
  readonly title: string;
  readonly counts: ReadonlyMap<string, number>;
  readonly hidden: ReadonlySet<string>;
  readonly onChange: (hidden: ReadonlySet<string>) => void;
  readonly colors?: ReadonlyMap<string, string>;
}

interface Props {
  readonly graph: DrawnGraph;
  readonly selected: NodeRef | undefined;
  readonly onSelect: (node: NodeRef) => void;
  readonly onGrow: (node: NodeRef) => void;
  readonly filters: readonly Filter[];
}

const mostListed = 100;

/** The selected node, the filters, and the drawn nodes as a list. */
export function GraphPanel({ graph, selected, onSelect, onGrow, filters }: Props) {
  const listed = graph
    .mapNodes((_, node) => node)
    .sort((a, b) => b.degree - a.degree)
    .slice(0, mostListed);
  return (
    <aside class="graph-panel stack" aria-label="Selection and filters">
      {selected !== undefined && (
        <div class="card">
          <NodeLink node={selected} />
          <div class="row">
            <button type="button" onClick={() => onGrow(selected)}>
              Show neighbours
            </button>
            <a href={linkTo('graph', [selected.type, selected.name])}>Start here</a>
          </div>
        </div>
      )}
      {filters.map((filter) => filter.counts.size > 0 && <FilterList key={filter.title} filter={filter} />)}
      <ParamInput name="since" label="Changed from" kind="date" />
      <ParamInput name="until" label="Changed until" kind="date" />
      <details>
        <summary>Nodes in the drawing</summary>
        <ul class="plain-list">
          {listed.map((node) => (
            <li key={`${node.type}/${node.name}`}>
              <button
                type="button"
                class="plain"
                onClick={() => onSelect({ type: node.type, name: node.name })}
              >
                <Text>{node.name}</Text> <span class="muted">{node.degree}</span>
              </button>
            </li>
          ))}
        </ul>
      </details>
    </aside>
  );
}

function FilterList({ filter }: { readonly filter: Filter }) {
  const { title, counts, hidden, onChange, colors } = filter;
  const toggle = (value: string) => {
    const next = new Set(hidden);
    if (!next.delete(value)) next.add(value);
    onChange(next);
  };
  return (
    <fieldset>
      <legend>{title}</legend>
      {[...counts]
        .sort(([, a], [, b]) => b - a)
        .map(([value, count]) => (
          <label key={value} class="filter">
            <input type="checkbox" checked={!hidden.has(value)} onChange={() => toggle(value)} />
            {colors !== undefined && (
              <svg class="dot" viewBox="0 0 10 10" aria-hidden="true">
                <circle cx="5" cy="5" r="5" fill={colors.get(value)} />
              </svg>
            )}
            <Text>{value}</Text> <span class="muted">{count}</span>
          </label>
        ))}
    </fieldset>
  );
}
