import type { WordStatistics } from '../read-results.js';
import { countVisible } from './counts.js';
import type { ReadContext } from './dialect.js';
import type { Executor } from './executor.js';
import { newestSeq } from './lineage.js';
import { readCounts, readNumber } from './rows.js';
import { sql } from './sql.js';

type Totals = Pick<WordStatistics, 'nodes' | 'observations'>;

/** What a branch held at a seq, and how many commits were added to that since it was counted. */
interface CountedBranch extends Totals {
  readonly seq: number;
  readonly commits: number;
}

/** How many texts had a stem when there were `texts` texts. */
interface CountedStem {
  readonly count: number;
  readonly texts: number;
  readonly countedAt: number;
}

/** After this many commits a branch is counted again. */
const maxReplayedCommits = 1_000;
/** From this many texts on a stem is common: it weighs little, so an old count is good enough. */
export const commonStemThreshold = 5_000;
/** A count expires when the graph has grown or shrunk by this share, or with age: PostgreSQL may have measured better. */
const recountGrowth = 1 / 20;
const maxAgeMs = 60_000;
const maxEntries = 10_000;

/** Every ranked search asks how many texts there are, and how many have a stem: all readers share the counts. */
export class WordStatisticsCache {
  readonly #branches = new Map<string, CountedBranch>();
  readonly #common = new Map<string, CountedStem>();

  /** Of all visible texts, and of all texts of the graph for each stem. */
  async statistics(reads: ReadContext, stems: readonly string[]): Promise<WordStatistics> {
    const { executor, dialect, lineage } = reads;
    const now = performance.now();
    const known = new Map<string, CountedStem>();
    for (const stem of stems) {
      const counted = this.#common.get(`${lineage.graph} ${stem}`);
      if (counted !== undefined && now - counted.countedAt < maxAgeMs) known.set(stem, counted);
    }
    const [totals, found] = await Promise.all([
      this.#totals(reads),
      dialect.textSearch.countTextsByStem(
        executor,
        lineage,
        stems.filter((stem) => !known.has(stem)),
      ),
    ]);
    const total = totals.nodes + totals.observations;
    this.#keepCommon(lineage.graph, found, total);
    const grown = [...known].filter(([, { texts }]) => Math.abs(total - texts) > texts * recountGrowth);
    const again = await dialect.textSearch.countTextsByStem(
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
    if (this.#common.size > maxEntries) this.#common.clear();
    for (const [stem, count] of found) {
      if (count >= commonStemThreshold) this.#common.set(`${graph} ${stem}`, { count, texts, countedAt });
      else this.#common.delete(`${graph} ${stem}`);
    }
  }

  /** For a head that was counted before, adds what its commits have changed since. */
  async #totals(reads: ReadContext): Promise<Totals> {
    const { executor, lineage } = reads;
    const { graph, levels } = lineage;
    const [{ branch, atHead }] = levels;
    if (!atHead) return countTexts(reads);
    const key = `${graph} ${branch}`;
    const before = this.#branches.get(key);
    const since =
      before === undefined ? undefined : await replayCommitCounts(executor, graph, branch, before);
    const now = since ?? (await countBranch(reads));
    if (this.#branches.size > maxEntries) this.#branches.clear();
    this.#branches.set(key, now);
    return { nodes: now.nodes, observations: now.observations };
  }
}

/** Adds up what the commits say they changed; undefined if they are too many. */
async function replayCommitCounts(
  executor: Executor,
  graph: number,
  branch: number,
  before: CountedBranch,
): Promise<CountedBranch | undefined> {
  const rows = await executor.all(
    sql`select c.seq, c.counts from commit_log c where c.graph = ${graph} and c.branch = ${branch} and c.seq > ${before.seq}
        and c.seq <= (select b.head_seq from branch b where b.graph = ${graph} and b.id = ${branch})
      order by c.seq limit ${maxReplayedCommits - before.commits + 1}`,
  );
  if (rows.length === 0) return before;
  let { seq, nodes, observations, commits } = before;
  for (const row of rows) {
    const changes = readCounts(row);
    seq = readNumber(row, 'seq');
    nodes += changes.nodesCreated - changes.nodesDeleted;
    observations += changes.observationsAdded - changes.observationsDeleted;
    commits += 1;
  }
  return commits > maxReplayedCommits ? undefined : { seq, nodes, observations, commits };
}

async function countBranch(reads: ReadContext): Promise<CountedBranch> {
  const { executor, lineage } = reads;
  const [seq, totals] = await Promise.all([
    newestSeq(executor, lineage.graph, lineage.levels[0]),
    countTexts(reads),
  ]);
  return { ...totals, seq, commits: 0 };
}

async function countTexts(context: ReadContext): Promise<Totals> {
  const [nodes, observations] = await Promise.all([
    countVisible(context, 'node_row'),
    countVisible(context, 'observation_row'),
  ]);
  return { nodes, observations };
}
