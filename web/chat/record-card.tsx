import { Text } from '../parts/text.js';
import { FieldLine } from './field-line.js';
import { canCallTools } from './host.js';
import { canFind, type RecordOfNode } from './record.js';

/** A node that a query returned, with its properties. */
export function RecordCard({ record }: { readonly record: RecordOfNode }) {
  const { id, type, fields } = record;
  return (
    <article>
      <h1>
        <Text>{id}</Text>
        {type !== undefined && (
          <span class="type">
            <Text>{type.replaceAll('`', '')}</Text>
          </span>
        )}
      </h1>
      <ul class="plain-list">
        {Object.keys(fields).map((field) => (
          <FieldLine key={field} record={record} field={field} />
        ))}
      </ul>
      {canCallTools() && <p class="muted">{whatCannotBeDone(record)}</p>}
    </article>
  );
}

function whatCannotBeDone(record: RecordOfNode): string {
  if (record.isSnapshot) return 'This is a state of the past, which cannot be changed.';
  if (!canFind(record))
    return 'To correct it, run a query that names its type, such as $p: Person, and returns $p.';
  return 'The key, lists, observations, tags and the summary cannot be corrected here: the query language does not change them one by one.';
}
