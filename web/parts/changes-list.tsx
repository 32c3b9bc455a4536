import type { Changes, EdgeChange, NodeChange, PropertyChanges } from '../api/types.js';
import { NodeLink } from './node-link.js';
import { Text, valueText } from './text.js';

/** What a commit changed, as a diff. */
export function ChangesList({ changes }: { readonly changes: Changes }) {
  const { schema, nodes, edges } = changes;
  return (
    <div class="changes">
      {schema !== undefined && (
        <section class={`change ${schema.change}`}>
          <h3>Schema {schema.change}</h3>
          {schema.steps.map(({ message }) => (
            <p key={message}>
              <Text>{message}</Text>
            </p>
          ))}
        </section>
      )}
      {nodes.map((node) => (
        <NodeChangeCard key={`${node.type}/${node.name}`} node={node} />
      ))}
      {edges.length > 0 && <EdgeChanges edges={edges} />}
      {schema === undefined && nodes.length + edges.length === 0 && <p class="muted">Nothing changed.</p>}
    </div>
  );
}

function NodeChangeCard({ node }: { readonly node: NodeChange }) {
  const { change, summary, tags = [], observations = [], props = {}, properties } = node;
  const sign = change === 'removed' ? 'removed' : 'added';
  return (
    <section class={`change ${change}`}>
      <h3>
        <span class={`badge ${change}`}>{change}</span> <NodeLink node={node} />
      </h3>
      {properties !== undefined ? (
        <PropertyLines properties={properties} />
      ) : (
        <table class="diff">
          <tbody>
            {summary !== undefined && <Line sign={sign} label="summary" value={summary} />}
            {tags.length > 0 && <Line sign={sign} label="tags" value={tags.join(', ')} />}
            {Object.entries(props).map(([name, value]) => (
              <Line key={name} sign={sign} label={name} value={value} />
            ))}
            {observations.map(({ ordinal, text }) => (
              <Line key={ordinal} sign={sign} label={`#${ordinal}`} value={text} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** `props.age` is a property, `observations.3` an observation; the rest are parts of the node itself. */
function labelOf(property: string): string {
  return property.replace(/^props\./, '').replace(/^observations\.(\d+)$/, '#$1');
}

export function PropertyLines({ properties }: { readonly properties: PropertyChanges }) {
  return (
    <table class="diff">
      <tbody>
        {Object.entries(properties).flatMap(([name, { before, after }]) => [
          before !== undefined && (
            <Line key={`-${name}`} sign="removed" label={labelOf(name)} value={before} />
          ),
          after !== undefined && <Line key={`+${name}`} sign="added" label={labelOf(name)} value={after} />,
        ])}
      </tbody>
    </table>
  );
}

function Line({
  sign,
  label,
  value,
}: {
  readonly sign: 'added' | 'removed';
  readonly label: string;
  readonly value: unknown;
}) {
  return (
    <tr class={sign}>
      <th scope="row">
        <Text>{label}</Text>
      </th>
      <td class="sign">
        <span aria-hidden="true">{sign === 'added' ? '+' : '−'}</span>
        <span class="hidden">{sign}</span>
      </td>
      <td class="stored">
        <Text>{valueText(value)}</Text>
      </td>
    </tr>
  );
}

function EdgeChanges({ edges }: { readonly edges: readonly EdgeChange[] }) {
  return (
    <section class="change">
      <h3>Relations</h3>
      <ul class="plain-list">
        {edges.map((edge) => (
          <li key={`${edge.from}/${edge.type}/${edge.to}/${edge.key}`}>
            <span class={`badge ${edge.change}`}>{edge.change}</span> <EdgeText edge={edge} />
            {edge.properties !== undefined && <PropertyLines properties={edge.properties} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

export function EdgeText({ edge }: { readonly edge: Pick<EdgeChange, 'from' | 'type' | 'to' | 'key'> }) {
  return (
    <span>
      <Text>{edge.from}</Text>{' '}
      <span class="relation">
        —<Text>{edge.type}</Text>→
      </span>{' '}
      <Text>{edge.to}</Text>
      {edge.key !== undefined && edge.key !== '' && (
        <span class="muted">
          {' '}
          (<Text>{edge.key}</Text>)
        </span>
      )}
    </span>
  );
}
