import type { SqlRow } from '../executor.js';
import { nodeTextColumns, nodeTextFromRow } from '../node-text-from-row.js';
import { readText } from '../rows.js';

export type TextSource = 'node_row' | 'observation_row';

interface SourceColumns {
  readonly document: string;
  readonly columns: string;
  readonly real: string;
}

export const sourceColumns: Readonly<Record<TextSource, SourceColumns>> = {
  node_row: {
    document: 'r.row * 2',
    columns: nodeTextColumns,
    real: 'and r.stub = 0',
  },
  observation_row: { document: 'r.row * 2 + 1', columns: 'r.text', real: '' },
};

/** Nodes have even documents, observations odd ones. */
export const textSources: readonly TextSource[] = ['node_row', 'observation_row'];

export function readSourceText(source: TextSource, row: SqlRow): string {
  if (source === 'observation_row') return readText(row, 'text');
  return nodeTextFromRow(row);
}
