import { nodeText } from '../text/node-text.js';
import type { SqlRow } from './executor.js';
import { readOptionalText, readProps, readProvenance, readText } from './rows.js';

/** Of `node_row r`. */
export const nodeTextColumns = 'r.name, r.type, r.summary, r.props, r.provenance';

export function nodeTextFromRow(row: SqlRow): string {
  return nodeText({
    name: readText(row, 'name'),
    type: readText(row, 'type'),
    summary: readOptionalText(row, 'summary'),
    props: readProps(row),
    provenance: readProvenance(row),
  });
}
