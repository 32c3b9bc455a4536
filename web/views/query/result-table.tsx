import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { ScrollBox } from '../../parts/scroll-box.js';
import { Text, valueText, visibleText } from '../../parts/text.js';
import type { QueryAnswer, Values } from './query-api.js';

const shownFirst = 200;

interface Props extends Required<Pick<QueryAnswer, 'columns' | 'rows'>> {
  /** Takes the place of a value that leads somewhere. */
  readonly linkTo?: (value: unknown, column: string) => ComponentChildren;
}

export function ResultTable({ columns, rows, linkTo }: Props) {
  const [shown, setShown] = useState(shownFirst);
  if (rows.length === 0) return <p class="muted">Nothing matches. Change the query or its parameters.</p>;
  return (
    <>
      <ScrollBox label="Rows">
        <table class="grid">
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {visibleText(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shown).map((row, index) => (
              <tr key={index}>
                {columns.map((column) => (
                  <Cell key={column} value={row[column]} link={linkTo?.(row[column], column)} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      {rows.length > shown && (
        <button type="button" onClick={() => setShown(shown + 1_000)}>
          Show more ({rows.length - shown})
        </button>
      )}
    </>
  );
}

function Cell({ value, link }: { readonly value: Values[string]; readonly link: ComponentChildren }) {
  if (link !== undefined) return <td>{link}</td>;
  if (value === null || value === undefined) return <td class="muted">null</td>;
  return (
    <td class={typeof value === 'number' ? 'number' : 'stored'}>
      <Text>{valueText(value)}</Text>
    </td>
  );
}
