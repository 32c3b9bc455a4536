import { readChunkSize } from '../../../bounds/chunks.js';
import {
  type Author,
  authorOf,
  type ChangeCounts,
  type Commit,
  commitNotFound,
} from '../../../model/commit.js';
import type { EdgeIdentity } from '../../../model/edge.js';
import { TrellisError } from '../../../model/error.js';
import type { Branch } from '../../../model/graph-record.js';
import type { NodeId } from '../../../model/node.js';
import type { CommitPage, CommitQuery } from '../../read-requests.js';
import type { CommitSummary, TouchedByCommit } from '../../read-results.js';
import type { Dialect, ReadContext } from '../dialect.js';
import type { Executor, Fragment, SqlRow } from '../executor.js';
import type { Level } from '../lineage.js';
import {
  pages,
  readCounts,
  readEdgeIdentity,
  readNumber,
  readOptionalText,
  readText,
  selectNumber,
} from '../rows.js';
import { and, raw, sql } from '../sql.js';
import { Ancestry, type CommitPosition, commitPosition } from './ancestry.js';

const commitsOfBranches = `
  select c.*, b.name as branch_name,
    case when s.seq is null then 0 else 1 end as sets_schema
  from commit_log c join branch b on b.graph = c.graph and b.id = c.branch
    left join graph_schema s on s.graph = c.graph and s.seq = c.seq`;

// One object, so that a connection recognizes its statement.
const commitColumns = 'graph,seq,id,branch,parent,merged_parent,actor,tool,client,message,time,counts'.split(
  ',',
);

interface CommitRecord {
  readonly id: string;
  readonly seq: number;
  readonly time: number;
  readonly mergedParent: string | null;
  readonly counts: ChangeCounts;
  readonly setsSchema?: true;
}

export class CommitLog {
  readonly #executor: Executor;
  readonly #graph: number;

  constructor(executor: Executor, graph: number) {
    this.#executor = executor;
    this.#graph = graph;
  }

  async get(id: string): Promise<Commit> {
    return readCommit(await this.#row(id));
  }

  /** Throws if the state can no longer be read. */
  async requireReadable(id: string): Promise<CommitPosition> {
    const row = await this.#row(id);
    if (readNumber(row, 'collected') === 1) throw commitCollectedError(id);
    return commitPosition(row);
  }

  /** Undefined if the graph has no such commit. */
  async position(id: string): Promise<CommitPosition | undefined> {
    const [row] = await this.#executor.all(
      sql`select branch, seq from commit_log where graph = ${this.#graph} and id = ${id}`,
    );
    return row === undefined ? undefined : commitPosition(row);
  }

  /** Newest first, including what was merged into the branch. */
  async history(
    dialect: Dialect,
    branch: Branch,
    { before = Number.MAX_SAFE_INTEGER, limit, node }: CommitQuery & CommitPage,
  ): Promise<Commit[]> {
    const conditions = [sql`c.graph = ${this.#graph}`, sql`c.seq < ${before}`];
    if (node !== undefined) conditions.push(this.#touches(dialect, node));
    const rows = await this.#executor.all(
      sql`${raw(commitsOfBranches)} join ${await this.#reach(dialect, branch)} h on h.branch = c.branch and c.seq <= h.seq
        where ${and(conditions)} order by c.seq desc limit ${limit}`,
    );
    return rows.map(readCommit);
  }

  #touches(dialect: Dialect, node: NodeId): Fragment {
    return dialect.inSelect(
      'c.seq',
      sql`select t.seq from touched t where t.graph = ${this.#graph} and t.kind in ('node', 'node_end') and t.ref = ${node}`,
    );
  }

  async at(dialect: Dialect, seqs: readonly number[]): Promise<Commit[]> {
    if (seqs.length === 0) return [];
    const rows = await this.#executor.all(
      sql`${raw(commitsOfBranches)} where c.graph = ${this.#graph} and ${dialect.inList('c.seq', 'integer', seqs)}`,
    );
    return rows.map(readCommit);
  }

  async count(dialect: Dialect, branch: Branch): Promise<number> {
    return selectNumber(
      this.#executor,
      sql`select count(*) as n from commit_log c join ${await this.#reach(dialect, branch)} h on h.branch = c.branch and c.seq <= h.seq
        where c.graph = ${this.#graph}`,
    );
  }

  async since(seq: number, limit: number): Promise<Commit[]> {
    const rows = await this.#executor.all(
      sql`${raw(commitsOfBranches)} where c.graph = ${this.#graph} and c.seq > ${seq} and b.deleted_at is null order by c.seq limit ${limit}`,
    );
    return rows.map(readCommit);
  }

  /** Oldest first, with a seq of at least `from`; without what was merged. */
  async onLineage(
    dialect: Dialect,
    levels: readonly Level[],
    from: number,
    limit: number,
  ): Promise<Commit[]> {
    // A head may have moved since it was read; what it had stays.
    const reach = levels.map(({ branch, seq, atHead }) => [branch, atHead ? Number.MAX_SAFE_INTEGER : seq]);
    const seen = dialect.tuples({ branch: 'integer', seq: 'integer' }, reach);
    const rows = await this.#executor.all(
      sql`${raw(commitsOfBranches)} join ${seen} h on h.branch = c.branch and c.seq <= h.seq
        where c.graph = ${this.#graph} and c.seq >= ${from} order by c.seq limit ${limit}`,
    );
    return rows.map(readCommit);
  }

  async touchedBy(id: string): Promise<TouchedByCommit> {
    const place = await this.requireReadable(id);
    const touched = { nodes: [] as NodeId[], edges: [] as EdgeIdentity[] };
    const kept = { nodes: [] as NodeId[], edges: [] as EdgeIdentity[] };
    for await (const page of pages((last) => this.#touchedAfter(place, last), readChunkSize)) {
      for (const row of page) {
        const kind = row['kind'];
        if (kind === 'node') touched.nodes.push(readNumber(row, 'ref'));
        else if (kind === 'edge') touched.edges.push(readEdgeIdentity(row));
        else if (kind === 'node_kept') kept.nodes.push(readNumber(row, 'ref'));
        else if (kind === 'edge_kept') kept.edges.push(readEdgeIdentity(row));
      }
    }
    const schema = await this.#schemaSetBy(id);
    // Again, if the statements do not share a snapshot: commits are marked before what they touched is forgotten.
    await this.requireReadable(id);
    return {
      ...touched,
      ...(kept.nodes.length + kept.edges.length === 0 ? {} : { kept }),
      ...(schema === undefined ? {} : { schema }),
    };
  }

  #touchedAfter({ branch, seq }: CommitPosition, last: SqlRow | undefined): Promise<SqlRow[]> {
    const rest =
      last === undefined
        ? sql`true`
        : sql`(t.kind, t.ref) > (${readText(last, 'kind')}, ${readNumber(last, 'ref')})`;
    return this.#executor.all(
      sql`select t.kind, t.ref, e.from_node, e.to_node, e.type, e.key from touched t
        left join edge_row e on t.kind in ('edge', 'edge_kept') and e.graph = t.graph and e.row = t.ref
        where t.graph = ${this.#graph} and t.branch = ${branch} and t.seq = ${seq} and ${rest}
        order by t.kind, t.ref limit ${raw(readChunkSize)}`,
    );
  }

  async nodesTouchedBy(id: string, limit: number): Promise<NodeId[]> {
    const rows = await this.#executor.all(
      sql`select t.ref from commit_log c join touched t on t.graph = c.graph and t.branch = c.branch and t.seq = c.seq
        where c.graph = ${this.#graph} and c.id = ${id} and t.kind = 'node' order by t.ref limit ${limit}`,
    );
    return refsOf(rows);
  }

  add(branch: Branch, record: CommitRecord, author: Author): Commit {
    const { id, seq, time, mergedParent, counts } = record;
    const parent = branch.headCommit;
    const { actor, tool, client = null, message = null } = author;
    this.#executor.insert('commit_log', commitColumns, [
      [
        ...[this.#graph, seq, id, branch.id, parent, mergedParent],
        ...[actor, tool, client, message, time, JSON.stringify(counts)],
      ],
    ]);
    this.#executor.run(
      sql`update branch set head_seq = ${seq}, head_commit = ${id} where graph = ${this.#graph} and id = ${branch.id}`,
    );
    const commit = { id, seq, branch: branch.name, parent, mergedParent, ...authorOf(author), time, counts };
    return record.setsSchema ? { ...commit, setsSchema: true } : commit;
  }

  /** The newest commit of each branch that belongs to the history of this one. */
  async #reach(dialect: Dialect, { id, headSeq }: Branch): Promise<Fragment> {
    const reach = (await Ancestry.load(this.#executor, this.#graph)).versionVector(id, headSeq);
    return dialect.tuples({ branch: 'integer', seq: 'integer' }, [...reach]);
  }

  async #schemaSetBy(id: string): Promise<string | null | undefined> {
    const [row] = await this.#executor.all(
      sql`select s.source from commit_log c join graph_schema s on s.graph = c.graph and s.seq = c.seq
        where c.graph = ${this.#graph} and c.id = ${id}`,
    );
    return row === undefined ? undefined : readOptionalText(row, 'source');
  }

  async #row(id: string): Promise<SqlRow> {
    const [row] = await this.#executor.all(
      sql`${raw(commitsOfBranches)} where c.graph = ${this.#graph} and c.id = ${id}`,
    );
    if (row !== undefined) return row;
    throw commitNotFound(id);
  }
}

/** Newest first; the commits that a branch inherits are older than its own. */
export async function visibleCommits(
  { executor, lineage: { graph, levels } }: ReadContext,
  { before = Number.MAX_SAFE_INTEGER, limit }: CommitPage,
): Promise<CommitSummary[]> {
  const found: CommitSummary[] = [];
  for (const { branch, seq, atHead } of levels) {
    const rows = await executor.all(
      sql`select c.id, c.seq, c.time, c.counts from commit_log c
        where c.graph = ${graph} and c.branch = ${branch} and c.seq < ${before} and c.seq <= ${atHead ? Number.MAX_SAFE_INTEGER : seq} order by c.seq desc limit ${limit - found.length}`,
    );
    for (const row of rows)
      found.push({
        commit: readText(row, 'id'),
        seq: readNumber(row, 'seq'),
        time: readNumber(row, 'time'),
        counts: readCounts(row),
      });
    if (found.length >= limit) break;
  }
  return found;
}

function refsOf(rows: readonly SqlRow[]): NodeId[] {
  return rows.map((row) => readNumber(row, 'ref'));
}

function commitCollectedError(id: string): TrellisError {
  return new TrellisError(
    'COMMIT_COLLECTED',
    `What commit ${id} left can no longer be read: it was garbage-collected.`,
    {
      hint: 'Its record is still in trellis log, but it can be neither read nor undone; name a newer commit or a branch.',
      details: { commit: id },
    },
  );
}

function readCommit(row: SqlRow): Commit {
  return {
    id: readText(row, 'id'),
    seq: readNumber(row, 'seq'),
    branch: readText(row, 'branch_name'),
    parent: readOptionalText(row, 'parent'),
    mergedParent: readOptionalText(row, 'merged_parent'),
    ...authorOf({
      actor: readText(row, 'actor'),
      tool: readText(row, 'tool'),
      client: readOptionalText(row, 'client') ?? undefined,
      message: readOptionalText(row, 'message') ?? undefined,
    }),
    time: readNumber(row, 'time'),
    counts: readCounts(row),
    ...(readNumber(row, 'sets_schema') === 1 ? { setsSchema: true } : {}),
    ...(readNumber(row, 'collected') === 1 ? { collected: true } : {}),
  };
}
