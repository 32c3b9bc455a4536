import { LruCache } from '../../bounds/lru-cache.js';
import { TrellisError } from '../../model/error.js';
import { checkGraphOrBranchName } from '../../model/graph-or-branch-name.js';
import {
  type Branch,
  branchHasChildren,
  branchNotFound,
  type GraphRecord,
  graphExists,
  graphNotFound,
  mainBranch,
} from '../../model/graph-record.js';
import { compareText } from '../../model/order.js';
import type { ReadTarget, WriteTarget } from '../graph-targets.js';
import { CommitLog } from './commits/commit-log.js';
import type { Executor, SqlRow } from './executor.js';
import type { Level, Lineage } from './lineage.js';
import { readNumber, readOptionalNumber, readOptionalText, readText, selectNumber } from './rows.js';
import { raw, sql } from './sql.js';

const branchColumns =
  'b.id, b.name, b.parent, b.fork_seq, b.head_seq, b.head_commit, b.schema_seq, b.purges, b.created_at';

/** What graphs were called when they were last looked up, in any database: always checked before it is used. */
const graphIds = new LruCache<number>(10_000);

export interface ResolvedBranch {
  readonly graphId: number;
  readonly branch: Branch;
  /** With the additional columns. */
  readonly row: SqlRow;
}

export class GraphCatalog {
  readonly #executor: Executor;

  constructor(executor: Executor) {
    this.#executor = executor;
  }

  async graphs(): Promise<GraphRecord[]> {
    const rows = await this.#executor.all(sql`select id, name, created_at from graph`);
    const graphs = rows.map((row) => ({
      id: readNumber(row, 'id'),
      name: readText(row, 'name'),
      createdAt: readNumber(row, 'created_at'),
    }));
    // Sorted here, since the databases sort differently.
    return graphs.sort((a, b) => compareText(a.name, b.name));
  }

  async createGraph(name: string, now: number): Promise<GraphRecord> {
    checkGraphOrBranchName(name, 'The name of a graph');
    if ((await this.#graphId(name)) !== undefined) {
      throw graphExists(name);
    }
    const id = await selectNumber(
      this.#executor,
      sql`select coalesce(max(id), 0) + 1 as n from
        (select id from graph union all select id from removed_graph) as used`,
    );
    this.#executor.run(sql`insert into graph (id, name, created_at) values (${id}, ${name}, ${now})`);
    await this.#insertBranch(id, mainBranch, undefined, now);
    return { id, name, createdAt: now };
  }

  async requireGraph(name: string): Promise<number> {
    const id = await this.#graphId(name);
    if (id === undefined) throw graphNotFound(name);
    return id;
  }

  async renameGraph(name: string, to: string): Promise<GraphRecord> {
    checkGraphOrBranchName(to, 'The name of a graph');
    if ((await this.#graphId(to)) !== undefined) throw graphExists(to);
    const [row] = await this.#executor.all(
      sql`update graph set name = ${to} where name = ${name} returning id, created_at`,
    );
    if (row === undefined) throw graphNotFound(name);
    return { id: readNumber(row, 'id'), name: to, createdAt: readNumber(row, 'created_at') };
  }

  async branches(graph: string): Promise<Branch[]> {
    const rows = await this.#executor.all(
      sql`select ${raw(branchColumns)} from branch b where b.graph = ${await this.requireGraph(graph)} and b.deleted_at is null order by b.id`,
    );
    return rows.map(readBranch);
  }

  /** @param keep The lock that keeps the parent from being deleted. */
  async createBranch(from: WriteTarget, name: string, now: number, keep: string): Promise<Branch> {
    checkGraphOrBranchName(name, 'The name of a branch');
    const { graphId, branch: parent } = await this.lockBranch(from, keep);
    const taken = await this.#executor.all(
      sql`select 1 as taken from branch where graph = ${graphId} and name = ${name} and deleted_at is null`,
    );
    if (taken.length > 0) {
      throw new TrellisError('BRANCH_EXISTS', `A branch named ${JSON.stringify(name)} is already there.`, {
        hint: 'Choose another name, or delete that one with branches_delete or: trellis branch delete',
        details: { branch: name },
      });
    }
    return this.#insertBranch(graphId, name, parent, now);
  }

  /** Hides a branch and frees its name; its rows stay until they are collected. */
  async deleteBranch(target: WriteTarget, now: number, lock: string, made?: Branch): Promise<Branch> {
    const { graphId, branch } = await this.lockBranch(target, lock);
    if (made !== undefined && (branch.id !== made.id || branch.headSeq !== made.headSeq)) {
      throw new TrellisError('BRANCH_IN_USE', `${branch.name} was written to since it was made.`);
    }
    if (branch.parent === null) {
      throw new TrellisError('BRANCH_IN_USE', `${branch.name} cannot be deleted: every graph needs it.`);
    }
    const children = (await this.branches(target.graph)).filter(({ parent }) => parent === branch.id);
    if (children.length > 0) {
      const names = children.map(({ name }) => name);
      throw branchHasChildren(branch.name, names, 'Merge and delete those first.');
    }
    this.#executor.run(
      sql`update branch set deleted_at = ${now} where graph = ${graphId} and id = ${branch.id}`,
    );
    return branch;
  }

  /** @param columns Further columns, beginning with a comma. */
  branch(target: WriteTarget, columns = ''): Promise<ResolvedBranch> {
    return this.#resolveBranch(target, columns, '');
  }

  /** Like `branch`, and locks it until the transaction ends. */
  lockBranch(target: WriteTarget, lock: string, columns = ''): Promise<ResolvedBranch> {
    return this.#resolveBranch(target, columns, lock);
  }

  /**
   * One statement if the graph's id is remembered. It names that id for both tables, so that a distributed database sends
   * it to one node, and checks the name, which may belong to another graph by now.
   */
  async #resolveBranch(target: WriteTarget, columns: string, lock: string): Promise<ResolvedBranch> {
    const { graph, branch: name = mainBranch } = target;
    const remembered = graphIds.get(graph);
    if (remembered !== undefined) {
      const resolved = await this.#selectBranch(remembered, target, columns, lock);
      if (resolved !== undefined) return resolved;
    }
    const graphId = await this.requireGraph(graph);
    graphIds.set(graph, graphId);
    const resolved = await this.#selectBranch(graphId, target, columns, lock);
    if (resolved === undefined) throw branchNotFound(graph, name);
    return resolved;
  }

  async #selectBranch(
    graphId: number,
    { graph, branch: name = mainBranch }: WriteTarget,
    columns: string,
    lock: string,
  ): Promise<ResolvedBranch | undefined> {
    const [row] = await this.#executor.all(
      sql`select ${raw(branchColumns + columns)} from branch b join graph g on g.id = b.graph
        where b.graph = ${graphId} and g.name = ${graph} and b.name = ${name} and b.deleted_at is null ${raw(lock)}`,
    );
    return row === undefined ? undefined : { graphId, branch: readBranch(row), row };
  }
  /** Synchronous if the branch inherits nothing. */
  headLineage(graphId: number, branch: Branch): Lineage | Promise<Lineage> {
    const head: Level = { branch: branch.id, seq: branch.headSeq, atHead: true };
    const lineage = { graph: graphId, levels: [head] as const, schemaSeq: branch.schemaSeq };
    return branch.parent === null ? lineage : this.#withInherited(lineage, branch);
  }

  async #withInherited(lineage: Lineage, branch: Branch): Promise<Lineage> {
    const [head] = lineage.levels;
    return { ...lineage, levels: [head, ...(await this.#inherited(lineage.graph, branch))] };
  }

  async lineage(target: ReadTarget): Promise<Lineage> {
    return this.lineageOn(await this.branch(target), target.commit);
  }

  lineageOn({ graphId, branch }: ResolvedBranch, commit: string | undefined): Lineage | Promise<Lineage> {
    return commit === undefined ? this.headLineage(graphId, branch) : this.lineageAt(graphId, commit);
  }

  async lineageAt(graphId: number, commit: string): Promise<Lineage> {
    const { branch, seq } = await new CommitLog(this.#executor, graphId).requireReadable(commit);
    const at = await this.#branchById(graphId, branch);
    const level: Level = { branch: at.id, seq, atHead: false };
    return { graph: graphId, levels: [level, ...(await this.#inherited(graphId, at))] };
  }

  async log(graph: string): Promise<CommitLog> {
    return new CommitLog(this.#executor, await this.requireGraph(graph));
  }

  async #inherited(graphId: number, branch: Branch): Promise<Level[]> {
    const levels: Level[] = [];
    for (let at = branch; at.parent !== null; ) {
      const parent = await this.#branchById(graphId, at.parent);
      levels.push({ branch: parent.id, seq: at.forkSeq, atHead: false });
      at = parent;
    }
    return levels;
  }

  async #branchById(graphId: number, id: number): Promise<Branch> {
    const [row] = await this.#executor.all(
      sql`select ${raw(branchColumns)} from branch b where b.graph = ${graphId} and b.id = ${id}`,
    );
    if (row === undefined)
      throw new TrellisError('STORE_CORRUPT', `Branch ${id} of graph ${graphId} is missing.`);
    return readBranch(row);
  }

  async #insertBranch(graph: number, name: string, parent: Branch | undefined, now: number): Promise<Branch> {
    const id = await selectNumber(
      this.#executor,
      sql`select coalesce(max(id), 0) + 1 as n from branch where graph = ${graph}`,
    );
    const forkSeq = parent?.headSeq ?? 0;
    const branch: Branch = {
      id,
      name,
      parent: parent?.id ?? null,
      forkSeq,
      headSeq: forkSeq,
      headCommit: parent?.headCommit ?? null,
      schemaSeq: parent?.schemaSeq ?? null,
      purges: parent?.purges ?? 0,
      createdAt: now,
    };
    const values = {
      ...{ graph, id, name, parent: branch.parent, fork_seq: forkSeq, head_seq: forkSeq },
      ...{ head_commit: branch.headCommit, schema_seq: branch.schemaSeq, purges: branch.purges },
      created_at: now,
    };
    this.#executor.insert('branch', Object.keys(values), [Object.values(values)]);
    return branch;
  }

  async #graphId(name: string): Promise<number | undefined> {
    const [row] = await this.#executor.all(sql`select id from graph where name = ${name}`);
    return row === undefined ? undefined : readNumber(row, 'id');
  }
}

function readBranch(row: SqlRow): Branch {
  return {
    id: readNumber(row, 'id'),
    name: readText(row, 'name'),
    parent: readOptionalNumber(row, 'parent'),
    forkSeq: readNumber(row, 'fork_seq'),
    headSeq: readNumber(row, 'head_seq'),
    headCommit: readOptionalText(row, 'head_commit'),
    schemaSeq: readOptionalNumber(row, 'schema_seq'),
    purges: readNumber(row, 'purges'),
    createdAt: readNumber(row, 'created_at'),
  };
}
