import { api } from '../../api/graph-api.js';
import { Loading } from '../../parts/loading.js';
import { ScrollBox } from '../../parts/scroll-box.js';
import { Text } from '../../parts/text.js';
import { branchName, graphName, linkTo } from '../../state/address.js';
import { useLoad } from '../../state/use-load.js';
import { parseSchema } from './parse-schema.js';
import { schemaSource } from './query-api.js';
import { SchemaDiagram } from './schema-diagram.js';

/** What the graph may hold, as a picture and as text. */
export function SchemaPage() {
  const schema = useLoad(['schema', graphName.value, branchName.value], schemaSource);
  return (
    <Loading from={schema}>
      {(source) =>
        source === '' ? (
          <OpenGraph />
        ) : (
          <>
            <SchemaDiagram schema={parseSchema(source)} />
            <h2>As text</h2>
            <ScrollBox label="The schema as text">
              <pre class="stored">
                <Text>{source}</Text>
              </pre>
            </ScrollBox>
          </>
        )
      }
    </Loading>
  );
}

function OpenGraph() {
  const types = useLoad(['types', graphName.value, branchName.value], (signal) => api.value.types(signal));
  return (
    <>
      <p>This graph has no schema: it accepts any type and any property.</p>
      <Loading from={types}>
        {({ node_types, edge_types }) =>
          node_types.length === 0 ? (
            <p class="muted">It is still empty.</p>
          ) : (
            <div class="two-lists">
              <CountList
                title="Node types"
                counts={node_types}
                linkOf={(type) => linkTo('search', [], { type })}
              />
              <CountList title="Relation types" counts={edge_types} />
            </div>
          )
        }
      </Loading>
    </>
  );
}

interface CountListProps {
  readonly title: string;
  readonly counts: readonly { readonly type: string; readonly count: number }[];
  readonly linkOf?: (type: string) => string;
}

function CountList({ title, counts, linkOf }: CountListProps) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {counts.length === 0 && <p class="muted">None.</p>}
      <ul class="plain-list entries card">
        {counts.map(({ type, count }) => (
          <li key={type} class="entry row spread">
            {linkOf === undefined ? (
              <Text>{type}</Text>
            ) : (
              <a href={linkOf(type)}>
                <Text>{type}</Text>
              </a>
            )}
            <span class="muted">{count.toLocaleString()}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
