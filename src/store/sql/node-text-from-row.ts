import { nodeText } from '../text/node-text.js';
import type { SqlRow } from './executor.js';
import { readOptionalText, readProps, readProvenance, readText } from './rows.js';

/** The columns of `node_row`, as `r`, that the text of a node is made of. */
export const nodeTextColumns = 'r.name, r.type, r.summary, r.props, r.provenance';

/** The text that a node is found by, from these columns. */
export function nodeTextFromRow(row: SqlRow): string {
  return nodeText({
    name: readText(row, 'name'),
    type: readText(row, 'type'),
    summary: readOptionalText(row, 'summary'),
    props: readProps(row),
    provenance: readProvenance(row),
  });
}
