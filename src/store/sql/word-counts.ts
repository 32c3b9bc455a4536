import type { WordStatistics } from '../answers.js';
import type { Dialect } from './dialect.js';
import type { Executor } from './executor.js';
import { type Lineage, visible } from './lineage.js';
import { integer, readCounts } from './rows.js';

/** How a read gets at rows. */
interface Reads {
  readonly executor: Executor;
  readonly dialect: Dialect;
  readonly lineage: Lineage;
}

type Totals = Pick<WordStatistics, 'nodes' | 'observations'>;

/** What a branch held once, and how many commits that was worked out with since it was counted. */
interface CountedBranch extends Totals {
  readonly seq: number;
  readonly commits: number;
}

/** How many texts had a stem, when there were so many texts. */
interface CountedStem {
  readonly count: number;
  readonly texts: number;
  readonly countedAt: number;
}

/** After so many commits a branch is counted anew. */
const mostCommits = 1_000;
/** So many texts make a stem common: it weighs little, so about how many will do for a while. */
export const commonFrom = 5_000;
/** That ends when the graph has grown or shrunk by this share, or so many milliseconds later: PostgreSQL may have measured better. */
const growth = 1 / 20;
const goodFor = 60_000;
/** Branches, and stems, that are remembered. */
const mostKnown = 10_000;

/**
 * How many texts graphs have, and how many have a stem: asked by every ranked search, so what takes long to count is
 * remembered. All readers of a store share what one of them has counted.
 */
export class WordCounts {
  readonly #branches = new Map<string, CountedBranch>();
  readonly #common = new Map<string, CountedStem>();

  /** The figures of what the lineage sees, and of all texts of its graph for each stem. */
  async statistics(reads: Reads, stems: readonly string[]): Promise<WordStatistics> {
    const { executor, dialect, lineage } = reads;
    const now = performance.now();
    const known = new Map<string, CountedStem>();
    for (const stem of stems) {
      const counted = this.#common.get(`${lineage.graph} ${stem}`);
      if (counted !== undefined && now - counted.countedAt < goodFor) known.set(stem, counted);
    }
    const [totals, found] = await Promise.all([
      this.#totals(reads),
      dialect.text.textsWithStems(
        executor,
        lineage,
        stems.filter((stem) => !known.has(stem)),
      ),
    ]);
    const total = totals.nodes + totals.observations;
    this.#keepCommon(lineage.graph, found, total);
    const grown = [...known].filter(([, { texts }]) => Math.abs(total - texts) > texts * growth);
    const again = await dialect.text.textsWithStems(
      executor,
      lineage,
      grown.map(([stem]) => stem),
    );
    this.#keepCommon(lineage.graph, again, total);
    const texts = new Map([...known].map(([stem, { count }]) => [stem, count]));
    return { ...totals, texts: new Map([...texts, ...found, ...again]) };
  }

  #keepCommon(graph: number, found: ReadonlyMap<string, number>, texts: number): void {
    const countedAt = performance.now();
    if (this.#common.size > mostKnown) this.#common.clear();
    for (const [stem, count] of found) {
      if (count >= commonFrom) this.#common.set(`${graph} ${stem}`, { count, texts, countedAt });
      else this.#common.delete(`${graph} ${stem}`);
    }
  }

  /** What a lineage sees: of a head that was counted before, that and what its commits have changed since. */
  async #totals(reads: Reads): Promise<Totals> {
    const { executor, lineage } = reads;
    const { graph, levels } = lineage;
    const [{ branch, atHead }] = levels;
    if (!atHead) return count(reads);
    const key = `${graph} ${branch}`;
    const before = this.#branches.get(key);
    const since = before === undefined ? undefined : await followed(executor, graph, branch, before);
    const now = since ?? (await counted(reads, branch));
    if (this.#branches.size > mostKnown) this.#branches.clear();
    this.#branches.set(key, now);
    return { nodes: now.nodes, observations: now.observations };
  }
}

/** What a branch holds by what its commits say they changed; undefined if those are too many. */
async function followed(
  executor: Executor,
  graph: number,
  branch: number,
  before: CountedBranch,
): Promise<CountedBranch | undefined> {
  const rows = await executor.all(
    `select c.seq, c.counts from commit_log c where c.graph = ? and c.branch = ? and c.seq > ?
        and c.seq <= (select b.head_seq from branch b where b.graph = ? and b.id = ?)
      order by c.seq limit ?`,
    [...[graph, branch, before.seq], ...[graph, branch], mostCommits - before.commits + 1],
  );
  if (rows.length === 0) return before;
  let { seq, nodes, observations, commits } = before;
  for (const row of rows) {
    const changes = readCounts(row);
    seq = integer(row, 'seq');
    nodes += changes.nodesCreated - changes.nodesDeleted;
    observations += changes.observationsAdded - changes.observationsDeleted;
    commits += 1;
  }
  return commits > mostCommits ? undefined : { seq, nodes, observations, commits };
}

async function counted(reads: Reads, branch: number): Promise<CountedBranch> {
  const { executor, lineage } = reads;
  const [[head], totals] = await Promise.all([
    executor.all('select b.head_seq from branch b where b.graph = ? and b.id = ?', [lineage.graph, branch]),
    count(reads),
  ]);
  return { ...totals, seq: head === undefined ? 0 : integer(head, 'head_seq'), commits: 0 };
}

async function count({ executor, lineage }: Reads): Promise<Totals> {
  const seen = async (table: 'node_row' | 'observation_row', more = '') => {
    const { sql, params } = visible(table, 'r', lineage);
    const [row] = await executor.all(`select count(*) as n from ${table} r where (${sql})${more}`, params);
    return row === undefined ? 0 : integer(row, 'n');
  };
  const [nodes, observations] = await Promise.all([
    seen('node_row', ' and r.stub = 0'),
    seen('observation_row'),
  ]);
  return { nodes, observations };
}
