import { Loading } from '../../parts/loading.js';
import { Text } from '../../parts/text.js';
import { branchName, graphName } from '../../state/address.js';
import { useLoad } from '../../state/use-load.js';
import { type Stats, stats } from './admin-api.js';

const storeNames = { sqlite: 'SQLite', postgres: 'PostgreSQL', jsonl: 'a JSON lines file' } as const;

export function FiguresSection() {
  const found = useLoad(['stats', graphName.value, branchName.value], stats);
  return (
    <section aria-labelledby="figures">
      <h2 id="figures">
        The graph <Text>{graphName.value}</Text>, branch <Text>{branchName.value}</Text>
      </h2>
      <Loading from={found}>{(figures) => <Figures figures={figures} />}</Loading>
    </section>
  );
}

function Figures({ figures }: { readonly figures: Stats }) {
  const { store, nodes, edges, observations, commits, branches, embedding_coverage: coverage } = figures;
  // Not 100 % before all are embedded.
  const percent = Math.floor(coverage * 100);
  const counts = [
    ['Nodes', nodes],
    ['Relations', edges],
    ['Observations', observations],
    ['Commits', commits],
    ['Branches', branches],
  ] as const;
  return (
    <dl class="facts">
      <dt>Store</dt>
      <dd>{storeNames[store]}</dd>
      {counts.map(([title, count]) => (
        <div key={title} class="fact">
          <dt>{title}</dt>
          <dd>{count.toLocaleString()}</dd>
        </div>
      ))}
      <dt>Searchable by meaning</dt>
      <dd>
        <meter min={0} max={1} value={coverage} aria-label="Observations that are embedded" /> {percent} % of
        the observations
        {coverage < 1 && (
          <span class="muted">
            . To embed the rest now, run <code>trellis embed</code>.
          </span>
        )}
      </dd>
    </dl>
  );
}
