import { hash } from 'node:crypto';
import type { Json, Props } from '../../../model/json.js';
import type { Node, NodeId } from '../../../model/node.js';
import type { KnownRows, NodeDraft } from '../../drafts.js';
import type { ScalarProps } from '../../read-requests.js';
import { similarSpellingKeys, spellingKeys } from '../../text/spelling.js';
import type { Dialect, GraphContext } from '../dialect.js';
import type { Executor, Fragment } from '../executor.js';
import { batches, readNumber, readProps, readText, selectNumber } from '../rows.js';
import { joinSql, raw, sql } from '../sql.js';
import type { TableTypes } from '../sql-tables.js';

/**
 * Which nodes of a type ever had a certain value of a property. Like `identity`, it knows neither branches nor
 * versions, and only a purge removes entries: it proposes nodes, and visible rows decide. So a node that is written
 * often has one entry, and readers at any branch and commit can use it.
 */
export function createNodePropertyTable({ integer: number, clustered }: TableTypes): string[] {
  return [
    `create table node_property (
      graph ${number} not null, hash ${number} not null, node ${number} not null,
      primary key (graph, hash, node)) ${clustered}`,
  ];
}

/** A number of 52 bits; equal values have the same. */
export function propertyHash(type: string, property: string, value: Json): number {
  return hashNumber([type, property, value]);
}

function spellingHash(type: string, spelling: string): number {
  return hashNumber([type, spelling]);
}

function hashNumber(parts: Json): number {
  return Number.parseInt(hash('sha256', JSON.stringify(parts)).slice(0, 13), 16);
}

export function isLookupScalar(value: Json): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

export function hasScalars(props: Props, wanted: ScalarProps): boolean {
  return Object.entries(wanted).every(([key, value]) => hasScalar(props, key, value));
}

function hasScalar(props: Props, key: string, value: Json): boolean {
  return Object.hasOwn(props, key) && props[key] === value;
}

export type NodePropertyEntry = readonly [graph: number, hash: number, node: NodeId];

/** What a node can be found by, without what earlier versions had. */
function hashesOf(
  { type, name, props }: Pick<NodeDraft, 'type' | 'name' | 'props'>,
  versions: readonly Node[],
): number[] {
  if (props === undefined) return [];
  const earlier = versions.filter((version) => version.type === type);
  const respelt = !earlier.some((version) => version.name === name && Object.keys(version.props).length > 0);
  // Restored, or taken over from another branch.
  if (!respelt && earlier.some((version) => version.props === props)) return [];
  const hashes = respelt ? spellingKeys(name).map((spelling) => spellingHash(type, spelling)) : [];
  for (const [key, value] of Object.entries(props)) {
    const isKnown = earlier.some((version) => hasScalar(version.props, key, value));
    if (isLookupScalar(value) && !isKnown) hashes.push(propertyHash(type, key, value));
  }
  return hashes;
}

/** Records what nodes have that their earlier versions had not, and how their names are spelled. */
export function recordProperties(
  context: GraphContext,
  drafts: readonly NodeDraft[],
  before: readonly Node[] = [],
  known?: Pick<KnownRows, 'stored'>,
): void {
  insertNodeProperties(context, newNodeProperties(context.graph, drafts, before, known));
}

export function newNodeProperties(
  graph: number,
  drafts: readonly NodeDraft[],
  before: readonly Node[],
  known?: Pick<KnownRows, 'stored'>,
): NodePropertyEntry[] {
  const replaced = new Map(before.map((node) => [node.id, node]));
  const entries: NodePropertyEntry[] = [];
  for (const draft of drafts) {
    const versions = [replaced.get(draft.id), known?.stored(draft.id)].filter((node) => node !== undefined);
    for (const number of hashesOf(draft, versions)) entries.push([graph, number, draft.id]);
  }
  // Sorted, so that concurrent writers who add the same entries lock them in one order.
  return entries.sort(([, a, first], [, b, second]) => a - b || first - second);
}

export function insertNodeProperties(
  { executor, dialect }: Pick<GraphContext, 'executor' | 'dialect'>,
  entries: readonly NodePropertyEntry[],
): void {
  if (entries.length === 0) return;
  dialect.insertMissing(
    executor,
    'node_property',
    { graph: 'integer', hash: 'integer', node: 'integer' },
    entries,
  );
}

/** Entries counted to find the rarest of several properties, and the factor if that was not enough. */
const initialCountLimit = 1_000;
const countLimitGrowth = 32;
/** Further properties are verified rather than looked up. */
const maxLookups = 4;

/** A select of the nodes that may have all these values; undefined if none ever had. */
export async function candidatesWithAll(
  executor: Executor,
  graph: number,
  type: string,
  wanted: ScalarProps,
): Promise<Fragment | undefined> {
  const hashes = Object.entries(wanted).map(([key, value]) => propertyHash(type, key, value));
  const [rarest, ...others] = hashes.length === 1 ? hashes : await rarestFirst(executor, graph, hashes);
  if (rarest === undefined) return undefined;
  const also = others.slice(0, maxLookups - 1);
  // The planner may turn a plain `exists` into a join that reads all who have a common value.
  const lookups = also.map(
    (hash) =>
      sql` and (select o.node from node_property o where o.graph = ${graph} and o.hash = ${hash} and o.node = p.node) is not null`,
  );
  return sql`select p.node from node_property p where p.graph = ${graph} and p.hash = ${rarest}${joinSql(lookups, '')}`;
}

/** A select of the nodes of these types that may have one of the values. */
export function candidatesWithAny(
  { dialect, graph }: Pick<GraphContext, 'dialect' | 'graph'>,
  types: readonly string[],
  property: string,
  values: readonly Json[],
): Fragment {
  const hashes = types.flatMap((type) => values.map((value) => propertyHash(type, property, value)));
  const list = dialect.inList('p.hash', 'integer', hashes);
  return sql`select p.node from node_property p where p.graph = ${graph} and ${list}`;
}

/** At most `limit` for each way to find them. */
export async function candidatesSpelledLike(
  { executor, dialect, graph }: GraphContext,
  type: string,
  name: string,
  limit: number,
): Promise<NodeId[]> {
  const hashes = similarSpellingKeys(name).map((spelling) => spellingHash(type, spelling));
  if (hashes.length === 0) return [];
  const having = (some: readonly number[]) => {
    const list = dialect.inList('p.hash', 'integer', some);
    // Not a parameter: SQLite plans a statement again each time its limit is bound.
    return executor.all(
      sql`select p.node from node_property p where p.graph = ${graph} and ${list} limit ${raw(limit)}`,
    );
  };
  const few = await having(hashes);
  // A common spelling must not use up the limit of the others.
  const found = few.length < limit ? few : (await Promise.all(hashes.map((hash) => having([hash])))).flat();
  return [...new Set(found.map((row) => readNumber(row, 'node')))];
}

/** Counted no further than the rarest needs; empty if nobody ever had one of them. */
async function rarestFirst(executor: Executor, graph: number, hashes: readonly number[]): Promise<number[]> {
  for (let most = initialCountLimit; ; most *= countLimitGrowth) {
    const counted = await Promise.all(
      hashes.map(async (number) => ({
        number,
        count: await selectNumber(
          executor,
          sql`select count(*) as n from
            (select 1 from node_property where graph = ${graph} and hash = ${number} limit ${raw(most)}) as counted`,
        ),
      })),
    );
    counted.sort((a, b) => a.count - b.count);
    const fewest = counted[0]?.count ?? 0;
    if (fewest === 0) return [];
    if (fewest < most) return counted.map(({ number }) => number);
  }
}

const batchSize = 500;

/** For stores that were written before properties were recorded. */
export async function recordExistingProperties(executor: Executor, dialect: Dialect): Promise<void> {
  for (const graph of await executor.all(sql`select id from graph`)) {
    await recordAll({ executor, dialect, graph: readNumber(graph, 'id') });
  }
}

/** Removes what no row has any more, so that nobody can find out a purged text by trying. */
export async function rebuildNodeProperties(context: GraphContext): Promise<void> {
  const { executor, graph } = context;
  executor.run(sql`delete from node_property where graph = ${graph}`);
  await recordAll(context);
}

async function recordAll(context: GraphContext): Promise<void> {
  const { executor, graph } = context;
  const readAfter = (after: number) =>
    executor.all(
      sql`select row, node, type, name, props from node_row
        where graph = ${graph} and row > ${after} and props is not null order by row limit ${batchSize}`,
    );
  for await (const rows of batches(readAfter, 'row', batchSize)) {
    const drafts = rows.map((row) => ({
      id: readNumber(row, 'node'),
      type: readText(row, 'type'),
      name: readText(row, 'name'),
      props: readProps(row),
    }));
    recordProperties(context, drafts);
  }
}
