import type { Props } from '../../../model/json.js';
import type { NodeId } from '../../../model/node.js';
import type { PropertyToIndex } from '../../drafts.js';
import type { GraphContext } from '../dialect.js';
import type { Executor } from '../executor.js';
import { type Comparable, comparableOf } from '../query/comparable.js';
import { batches, readNumber, readProps, readText } from '../rows.js';
import { raw, sql } from '../sql.js';
import type { TableTypes } from '../sql-tables.js';
import { sortableText } from './sortable-text.js';

/*
 * Which rows of nodes have which value of a property, in the order of the values. Rows never change, so an entry needs
 * neither branch nor time: it stays as long as its row, and the row decides whether it is visible. The whole graph is
 * indexed, every branch and version, so that a reader at any commit can rely on it.
 */

/** `property_value` only has what `property_index` declares. */
export function createPropertyIndexTables({
  integer: number,
  clustered,
  byCodePoint,
}: TableTypes & { readonly byCodePoint: string }): string[] {
  return [
    `create table property_index (
      graph ${number} not null, id ${number} not null, type text not null, property text not null,
      comparable text not null, primary key (graph, id)) ${clustered}`,
    'create unique index property_index_of on property_index (graph, type, property, comparable)',
    `create table property_value (
      graph ${number} not null, property ${number} not null, value text${byCodePoint} not null, row ${number} not null,
      primary key (graph, property, value, row)) ${clustered}`,
    'create index property_value_row on property_value (graph, row)',
  ];
}

export const dropPropertyRowIndex = 'drop index property_value_row';

export interface IndexedProperty {
  readonly id: number;
  readonly type: string;
  readonly property: string;
  readonly comparable: Comparable;
}

const indexableComparables: readonly Comparable[] = ['text', 'boolean', 'number', 'i64', 'u64'];

export async function listIndexedProperties(executor: Executor, graph: number): Promise<IndexedProperty[]> {
  const rows = await executor.all(
    sql`select id, type, property, comparable from property_index where graph = ${graph} order by id`,
  );
  return rows.flatMap((row) => {
    const comparable = indexableComparables.find((each) => each === row['comparable']);
    if (comparable === undefined) return [];
    return [
      {
        id: readNumber(row, 'id'),
        type: readText(row, 'type'),
        property: readText(row, 'property'),
        comparable,
      },
    ];
  });
}

export interface WrittenNode {
  readonly id: NodeId;
  readonly type: string;
  readonly stub?: boolean;
  readonly props?: Props;
}

const propertyValueColumns = ['graph', 'property', 'value', 'row'];

/** @param rows Their row ids; undefined if the database has to look them up. */
export function indexNodes(
  { executor, dialect, graph }: GraphContext,
  branch: number,
  indexes: readonly IndexedProperty[],
  nodes: readonly WrittenNode[],
  rows?: readonly number[],
): void {
  if (indexes.length === 0) return;
  if (rows !== undefined) {
    const placed = nodes.flatMap((node, index) =>
      entriesOfNode(indexes, node).map(({ property, value }) => [
        graph,
        property,
        value,
        rows[index] as number,
      ]),
    );
    executor.insert('property_value', propertyValueColumns, placed);
    return;
  }
  const entries = nodes.flatMap((node) =>
    entriesOfNode(indexes, node).map(({ property, value }) => [node.id, property, value]),
  );
  if (entries.length === 0) return;
  const tuples = dialect.tuples({ node: 'integer', property: 'integer', value: 'text' }, entries);
  executor.run(
    sql`insert into property_value (graph, property, value, row)
      select r.graph, t.property, t.value, r.row from ${tuples} t cross join node_row r
      where r.graph = ${graph} and r.branch = ${branch} and r.node = t.node and r.died is null`,
  );
}

export interface IndexEntry {
  readonly property: number;
  readonly value: string;
}

export function entriesOfNode(
  indexes: readonly IndexedProperty[],
  { type, stub, props }: WrittenNode,
): readonly IndexEntry[] {
  return stub === true || props === undefined ? [] : entriesOf(indexes, type, props);
}

function entriesOf(indexes: readonly IndexedProperty[], type: string, props: Props): IndexEntry[] {
  return indexes.flatMap((index) => {
    if (index.type !== type || !Object.hasOwn(props, index.property)) return [];
    const value = sortableText(props[index.property] ?? null, index.comparable);
    return value === null ? [] : [{ property: index.id, value }];
  });
}

/** Indexes properties, and all existing versions of their nodes. Nobody else may write to the graph meanwhile. */
export async function indexProperties(
  context: GraphContext,
  wanted: readonly PropertyToIndex[],
): Promise<void> {
  const { executor, dialect, graph } = context;
  const known = await listIndexedProperties(executor, graph);
  const fresh: IndexedProperty[] = [];
  for (const { type, property, valueType } of wanted) {
    const comparable = comparableOf(valueType);
    if (!indexableComparables.includes(comparable)) continue;
    const same = (index: IndexedProperty) =>
      index.type === type && index.property === property && index.comparable === comparable;
    if (known.some(same) || fresh.some(same)) continue;
    fresh.push({ id: (known.at(-1)?.id ?? 0) + fresh.length + 1, type, property, comparable });
  }
  if (fresh.length === 0) return;
  await executor.all(
    sql`select b.id from branch b where b.graph = ${graph} order by b.id ${raw(dialect.lockExclusively)}`,
  );
  executor.insert(
    'property_index',
    ['graph', 'id', 'type', 'property', 'comparable'],
    fresh.map(({ id, type, property, comparable }) => [graph, id, type, property, comparable]),
  );
  await indexAllRows(context, fresh);
}

/** Makes all entries again, so that none holds what was purged. */
export async function rebuildPropertyIndex(context: GraphContext): Promise<void> {
  const { executor, graph } = context;
  executor.run(sql`delete from property_value where graph = ${graph}`);
  await indexAllRows(context, await listIndexedProperties(executor, graph));
}

/**
 * Their values tell where the entries are: an index by rows would be as large as the table, and only this needs it. To be
 * called before the rows are deleted.
 */
export async function removeRowsFromIndex(
  { executor, dialect, graph }: GraphContext,
  rows: readonly number[],
): Promise<void> {
  const indexes = await listIndexedProperties(executor, graph);
  if (indexes.length === 0) return;
  const found = await executor.all(
    sql`select row, type, props from node_row where graph = ${graph} and props is not null and stub = 0
      and ${dialect.inList('row', 'integer', rows)}`,
  );
  const entries = found.flatMap((row) =>
    entriesOf(indexes, readText(row, 'type'), readProps(row)).map(({ property, value }) => [
      ...[property, value, readNumber(row, 'row')],
    ]),
  );
  if (entries.length === 0) return;
  const list = dialect.tuples({ property: 'integer', value: 'text', row: 'integer' }, entries);
  executor.run(
    sql`delete from property_value where graph = ${graph} and (property, value, row) in (select property, value, row from ${list} t)`,
  );
}

const batchSize = 1_000;

async function indexAllRows(
  { executor, dialect, graph }: GraphContext,
  indexes: readonly IndexedProperty[],
): Promise<void> {
  if (indexes.length === 0) return;
  const types = dialect.inList('type', 'text', [...new Set(indexes.map(({ type }) => type))]);
  const readAfter = (after: number) =>
    executor.all(
      sql`select row, type, props from node_row where graph = ${graph} and row > ${after} and props is not null and stub = 0
        and ${types} order by row limit ${batchSize}`,
    );
  for await (const rows of batches(readAfter, 'row', batchSize)) {
    executor.insert(
      'property_value',
      propertyValueColumns,
      rows.flatMap((row) =>
        entriesOf(indexes, readText(row, 'type'), readProps(row)).map(({ property, value }) => [
          ...[graph, property, value, readNumber(row, 'row')],
        ]),
      ),
    );
  }
}
