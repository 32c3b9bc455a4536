/**
 * What the planner believes about each index: the number of rows, then how many share the first column, the first two,
 * and so on. The figures are of a large graph and never measured, so a plan that is right for a million rows is used
 * from the first row on and does not change under a running server. Without them, the planner takes the graph column
 * for a selective one and scans.
 */
const assumedRows = 1_000_000;
type IndexStatistics = readonly [table: string, index: string, figures: readonly number[]];

const initialIndexes: readonly IndexStatistics[] = [
  ['identity', 'identity', [assumedRows, assumedRows, 1, 1]],
  ['identity', 'identity_node', [assumedRows, assumedRows, 1]],
  ['node_row', 'node_live', [assumedRows, assumedRows, assumedRows, 1]],
  ['node_row', 'node_live_order', [assumedRows, assumedRows, assumedRows, assumedRows, 1, 1]],
  ['node_row', 'node_history', [assumedRows, assumedRows, 3, 3, 1]],
  ['observation_row', 'observation_live', [assumedRows, assumedRows, assumedRows, 5, 1]],
  ['observation_row', 'observation_history', [assumedRows, assumedRows, 10, 2, 2, 1]],
  ['edge_row', 'edge_live', [assumedRows, assumedRows, assumedRows, 5, 1, 1, 1]],
  ['edge_row', 'edge_live_to', [assumedRows, assumedRows, assumedRows, 5]],
  ['edge_row', 'edge_live_order', [assumedRows, assumedRows, assumedRows, 1, 1]],
  ['edge_row', 'edge_from_history', [assumedRows, assumedRows, 10, 2, 2, 1]],
  ['edge_row', 'edge_to_history', [assumedRows, assumedRows, 10, 10, 1]],
  ['touched', 'touched', [assumedRows, assumedRows, assumedRows, 5, 5, 1]],
  ['touched', 'touched_ref', [assumedRows, assumedRows, assumedRows, 5, 5, 1]],
];

export const plannerStatistics: readonly string[] = [
  // Makes the tables that hold the figures.
  'analyze',
  ...statisticsSql(initialIndexes),
];

export const nodePropertyStatistics: readonly string[] = statisticsSql([
  ['node_property', 'node_property', [assumedRows, assumedRows, 5, 1]],
]);

/** Few commits are merges. */
export const historyStatistics: readonly string[] = statisticsSql([
  ['commit_log', 'commit_merges', [1_000, 1_000, 10, 1]],
]);

export const typeIndexStatistics: readonly string[] = statisticsSql([
  ['node_row', 'node_live_type', [assumedRows, assumedRows, assumedRows, assumedRows, 1_000, 1, 1]],
]);

export const propertyIndexStatistics: readonly string[] = statisticsSql([
  ['property_value', 'property_value', [assumedRows, assumedRows, 100_000, 5, 1]],
  ['property_value', 'property_value_row', [assumedRows, assumedRows, 3]],
]);

/** Many rows may have the same value, so a row is looked up by its whole key. */
export const propertyValueStatistics: readonly string[] = [
  "delete from sqlite_stat1 where tbl = 'property_value'",
  ...statisticsSql([['property_value', 'property_value', [assumedRows, assumedRows, 100_000, 1_000, 1]]]),
];

/**
 * The first `analyze` counted the two rows of an empty text index. A planner that believes in two rows deletes a range of
 * them by reading all, so each small merge of segments would read the index once for every segment.
 */
export const textIndexStatistics: readonly string[] = [
  `update sqlite_stat1 set stat = '${assumedRows}' where tbl in ('text_trigrams_data', 'text_stems_data')`,
  'analyze sqlite_schema',
];

function statisticsSql(figuresOf: readonly IndexStatistics[]): string[] {
  return [
    ...figuresOf.map(
      ([table, index, figures]) =>
        `insert into sqlite_stat1 (tbl, idx, stat) values ('${table}', '${index}', '${figures.join(' ')}')`,
    ),
    // Has this connection read them; others do when they open.
    'analyze sqlite_schema',
  ];
}
