import type { Author, ChangeCounts, Commit } from '../../model/commit.js';
import { TrellisError } from '../../model/error.js';
import { type Branch, type GraphRecord, mainBranch } from '../../model/graph.js';
import { checkName } from '../../model/text.js';
import type { TouchedByCommit, ViewTarget, WriteTarget } from '../contract.js';
import type { Executor, SqlRow } from './executor.js';
import type { Level, Lineage } from './lineage.js';
import { integer, optionalInteger, optionalText, readEdgeIdentity, text } from './rows.js';

const branchColumns = 'b.id, b.name, b.parent, b.fork_seq, b.head_seq, b.head_commit, b.created_at';
const selectBranch = `select g.id as graph, ${branchColumns} from graph g left join branch b
  on b.graph = g.id and b.name = ? and b.deleted_at is null where g.name = ?`;
const selectBranchToLock = `select g.id as graph, ${branchColumns} from graph g join branch b on b.graph = g.id
  where g.name = ? and b.name = ? and b.deleted_at is null`;
const commitColumns = [
  'graph',
  'seq',
  'id',
  'branch',
  'parent',
  'merged_parent',
  'actor',
  'tool',
  'time',
  'counts',
];

/** A branch and the id of its graph. */
export interface BranchOfGraph {
  readonly graphId: number;
  readonly branch: Branch;
}

/** Which graphs, branches and commits there are. */
export class Catalog {
  readonly #executor: Executor;

  constructor(executor: Executor) {
    this.#executor = executor;
  }

  async graphs(): Promise<GraphRecord[]> {
    const rows = await this.#executor.all('select id, name, created_at from graph');
    const graphs = rows.map((row) => ({
      id: integer(row, 'id'),
      name: text(row, 'name'),
      createdAt: integer(row, 'created_at'),
    }));
    // Sorted here, since the databases' ideas of order differ.
    return graphs.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Makes a graph with its `main` branch. */
  async createGraph(name: string, now: number): Promise<GraphRecord> {
    checkName(name, 'The name of a graph');
    if ((await this.#graphId(name)) !== undefined) {
      throw graphExists(name);
    }
    const [row] = await this.#executor.all(
      `select coalesce(max(id), 0) + 1 as id from
        (select id from graph union all select id from removed_graph) as used`,
    );
    const id = row === undefined ? 1 : integer(row, 'id');
    await this.#executor.run('insert into graph (id, name, created_at) values (?, ?, ?)', [id, name, now]);
    await this.#insertBranch(id, mainBranch, undefined, now);
    return { id, name, createdAt: now };
  }

  /** The id of a graph that has to be there. */
  async requireGraph(name: string): Promise<number> {
    const id = await this.#graphId(name);
    if (id === undefined) throw graphNotFound(name);
    return id;
  }

  async renameGraph(name: string, to: string): Promise<GraphRecord> {
    checkName(to, 'The name of a graph');
    if ((await this.#graphId(to)) !== undefined) throw graphExists(to);
    const [row] = await this.#executor.all(
      'update graph set name = ? where name = ? returning id, created_at',
      [to, name],
    );
    if (row === undefined) throw graphNotFound(name);
    return { id: integer(row, 'id'), name: to, createdAt: integer(row, 'created_at') };
  }

  async branches(graph: string): Promise<Branch[]> {
    const rows = await this.#executor.all(
      `select ${branchColumns} from branch b where b.graph = ? and b.deleted_at is null order by b.id`,
      [await this.requireGraph(graph)],
    );
    return rows.map(readBranch);
  }

  /** Forks a branch; `keep` is the dialect's word for a parent that must not be deleted meanwhile. */
  async createBranch(graph: string, name: string, from: string, now: number, keep: string): Promise<Branch> {
    checkName(name, 'The name of a branch');
    const { graphId, branch: parent } = await this.lockBranch({ graph, branch: from }, keep);
    const taken = (await this.branches(graph)).some((branch) => branch.name === name);
    if (taken) {
      throw new TrellisError('BRANCH_EXISTS', `A branch named ${JSON.stringify(name)} is already there.`);
    }
    return this.#insertBranch(graphId, name, parent, now);
  }

  /** The branch a write or a read goes to. */
  async branch({ graph, branch: name = mainBranch }: WriteTarget): Promise<BranchOfGraph> {
    const [row] = await this.#executor.all(selectBranch, [name, graph]);
    if (row === undefined) throw graphNotFound(graph);
    if (row['id'] === null) {
      throw new TrellisError(
        'BRANCH_NOT_FOUND',
        `Graph ${JSON.stringify(graph)} has no branch ${JSON.stringify(name)}.`,
      );
    }
    return { graphId: integer(row, 'graph'), branch: readBranch(row) };
  }

  /** The branch a write goes to, kept as `lock` says until the transaction ends. */
  async lockBranch(target: WriteTarget, lock: string): Promise<BranchOfGraph> {
    const { graph, branch: name = mainBranch } = target;
    const [row] = await this.#executor.all(`${selectBranchToLock} ${lock}`, [graph, name]);
    // Nothing to lock: the same question without the lock says what is missing.
    return row === undefined
      ? this.branch(target)
      : { graphId: integer(row, 'graph'), branch: readBranch(row) };
  }

  /** The lineage of a branch as it is now, for a reader or a writer. */
  async headLineage(graphId: number, branch: Branch): Promise<Lineage> {
    const head: Level = { branch: branch.id, seq: branch.headSeq, atHead: true };
    return { graph: graphId, levels: [head, ...(await this.#inherited(graphId, branch))] };
  }

  /** The lineage that shows what a read asked for. */
  async lineage(target: ViewTarget): Promise<Lineage> {
    const { graphId, branch } = await this.branch(target);
    if (target.commit === undefined) return this.headLineage(graphId, branch);
    const [row] = await this.#executor.all('select seq, branch from commit_log where graph = ? and id = ?', [
      graphId,
      target.commit,
    ]);
    if (row === undefined) {
      throw new TrellisError(
        'COMMIT_NOT_FOUND',
        `Graph ${JSON.stringify(target.graph)} has no commit ${JSON.stringify(target.commit)}.`,
      );
    }
    const at = await this.#branchById(graphId, integer(row, 'branch'));
    const level: Level = { branch: at.id, seq: integer(row, 'seq'), atHead: false };
    return { graph: graphId, levels: [level, ...(await this.#inherited(graphId, at))] };
  }

  async commits(target: WriteTarget, before: number | undefined, limit: number): Promise<Commit[]> {
    const { graphId, branch } = await this.branch(target);
    const { levels } = await this.headLineage(graphId, branch);
    const seen = levels.map(() => '(c.branch = ? and c.seq <= ?)').join(' or ');
    const rows = await this.#executor.all(
      `select c.*, b.name as branch_name from commit_log c join branch b on b.graph = c.graph and b.id = c.branch
        where c.graph = ? and (${seen}) and c.seq < ? order by c.seq desc limit ?`,
      [
        graphId,
        ...levels.flatMap((level) => [level.branch, level.seq]),
        before ?? Number.MAX_SAFE_INTEGER,
        limit,
      ],
    );
    return rows.map(readCommit);
  }

  async commitsSince(graph: string, seq: number, limit: number): Promise<Commit[]> {
    const rows = await this.#executor.all(
      `select c.*, b.name as branch_name from commit_log c join branch b on b.graph = c.graph and b.id = c.branch
        where c.graph = ? and c.seq > ? order by c.seq limit ?`,
      [await this.requireGraph(graph), seq, limit],
    );
    return rows.map(readCommit);
  }

  async touchedBy(graph: string, commit: Commit): Promise<TouchedByCommit> {
    const rows = await this.#executor.all(
      `select t.kind, t.ref, e.from_node, e.to_node, e.type, e.key from commit_log c
        join touched t on t.graph = c.graph and t.branch = c.branch and t.seq = c.seq
        left join edge_row e on t.kind = 'edge' and e.graph = t.graph and e.row = t.ref
        where c.graph = ? and c.id = ? order by t.kind, t.ref`,
      [await this.requireGraph(graph), commit.id],
    );
    return {
      nodes: rows.filter((row) => row['kind'] === 'node').map((row) => integer(row, 'ref')),
      edges: rows.filter((row) => row['kind'] === 'edge').map(readEdgeIdentity),
    };
  }

  /** Records a commit and moves its branch's head to it. */
  async addCommit(
    graphId: number,
    branch: Branch,
    record: { id: string; seq: number; time: number; mergedParent: string | null; counts: ChangeCounts },
    author: Author,
  ): Promise<Commit> {
    const parent = branch.headCommit;
    await this.#executor.insert('commit_log', commitColumns, [
      [
        graphId,
        record.seq,
        record.id,
        branch.id,
        parent,
        record.mergedParent,
        author.actor,
        author.tool,
        record.time,
        JSON.stringify(record.counts),
      ],
    ]);
    await this.#executor.run('update branch set head_seq = ?, head_commit = ? where graph = ? and id = ?', [
      record.seq,
      record.id,
      graphId,
      branch.id,
    ]);
    return { ...record, ...author, branch: branch.name, parent };
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
      `select ${branchColumns} from branch b where b.graph = ? and b.id = ?`,
      [graphId, id],
    );
    if (row === undefined)
      throw new TrellisError('STORE_CORRUPT', `Branch ${id} of graph ${graphId} is missing.`);
    return readBranch(row);
  }

  async #insertBranch(graph: number, name: string, parent: Branch | undefined, now: number): Promise<Branch> {
    const [row] = await this.#executor.all(
      'select coalesce(max(id), 0) + 1 as id from branch where graph = ?',
      [graph],
    );
    const forkSeq = parent?.headSeq ?? 0;
    const branch: Branch = {
      id: row === undefined ? 1 : integer(row, 'id'),
      name,
      parent: parent?.id ?? null,
      forkSeq,
      headSeq: forkSeq,
      headCommit: parent?.headCommit ?? null,
      createdAt: now,
    };
    await this.#executor.insert(
      'branch',
      ['graph', 'id', 'name', 'parent', 'fork_seq', 'head_seq', 'head_commit', 'created_at'],
      [[graph, branch.id, name, branch.parent, forkSeq, forkSeq, branch.headCommit, now]],
    );
    return branch;
  }

  async #graphId(name: string): Promise<number | undefined> {
    const [row] = await this.#executor.all('select id from graph where name = ?', [name]);
    return row === undefined ? undefined : integer(row, 'id');
  }
}

function graphExists(name: string): TrellisError {
  return new TrellisError('GRAPH_EXISTS', `A graph named ${JSON.stringify(name)} is already there.`);
}

/** Says that no graph has this name, and how to make it. */
export function graphNotFound(name: string): TrellisError {
  return new TrellisError('GRAPH_NOT_FOUND', `There is no graph named ${JSON.stringify(name)}.`, {
    hint: `Create it with: trellis graph create ${name}`,
  });
}

function readBranch(row: SqlRow): Branch {
  return {
    id: integer(row, 'id'),
    name: text(row, 'name'),
    parent: optionalInteger(row, 'parent'),
    forkSeq: integer(row, 'fork_seq'),
    headSeq: integer(row, 'head_seq'),
    headCommit: optionalText(row, 'head_commit'),
    createdAt: integer(row, 'created_at'),
  };
}

function readCommit(row: SqlRow): Commit {
  return {
    id: text(row, 'id'),
    seq: integer(row, 'seq'),
    branch: text(row, 'branch_name'),
    parent: optionalText(row, 'parent'),
    mergedParent: optionalText(row, 'merged_parent'),
    actor: text(row, 'actor'),
    tool: text(row, 'tool'),
    time: integer(row, 'time'),
    counts: JSON.parse(text(row, 'counts')) as ChangeCounts,
  };
}
