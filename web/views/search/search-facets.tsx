import { api } from '../../api/graph-api.js';
import { Loading } from '../../parts/loading.js';
import { ParamInput } from '../../parts/param-input.js';
import { Text } from '../../parts/text.js';
import { address, branchName, graphName, setParams } from '../../state/address.js';
import { useLoad } from '../../state/use-load.js';

const facets = ['type', 'tag', 'actor', 'since', 'until', 'min_confidence'];
const mostTypes = 30;
/** On a phone they would be between the box and what it found. */
const isWide = matchMedia('(min-width: 48rem)').matches;

/** Filters of a search, as parts of the address. */
export function SearchFacets() {
  const { params } = address.value;
  const types = useLoad(['types', graphName.value, branchName.value], (signal) => api.value.types(signal));
  return (
    <aside aria-label="Filters">
      <details class="facets" open={isWide}>
        <summary>Filters</summary>
        <Loading from={types} isOptional>
          {({ node_types }) =>
            node_types.length > 0 && (
              <fieldset>
                <legend>Type</legend>
                <ul class="plain-list">
                  {node_types.slice(0, mostTypes).map(({ type, count }) => (
                    <li key={type}>
                      <button
                        type="button"
                        class="plain facet"
                        aria-pressed={params['type'] === type}
                        onClick={() => setParams({ type: params['type'] === type ? undefined : type })}
                      >
                        <Text>{type}</Text> <span class="muted">{count.toLocaleString()}</span>
                      </button>
                    </li>
                  ))}
                </ul>
              </fieldset>
            )
          }
        </Loading>
        <ParamInput name="tag" label="Tag" />
        <ParamInput name="actor" label="Changed by" />
        <ParamInput name="since" label="Changed from" kind="date" />
        <ParamInput name="until" label="Changed until" kind="date" />
        <ParamInput name="min_confidence" label="Confidence at least" kind="share" />
        {facets.some((name) => name in params) && (
          <button
            type="button"
            onClick={() => setParams(Object.fromEntries(facets.map((name) => [name, undefined])))}
          >
            Remove filters
          </button>
        )}
      </details>
    </aside>
  );
}
