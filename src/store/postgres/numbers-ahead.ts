import type { SequenceAllocator } from '../sql/dialect.js';
import type { Executor } from '../sql/executor.js';
import { readNumber } from '../sql/rows.js';
import { raw, sql } from '../sql/sql.js';

const sequenceNames = { node: 'node_id', seq: 'commit_seq' };

type Counter = keyof typeof sequenceNames;

/**
 * Asks for a seq and a node id for each write of a transaction as soon as its branch is locked. The answer comes with that of
 * the first look-up, so a write that creates one node never waits for its numbers.
 */
export class NumbersAhead implements SequenceAllocator {
  readonly #executor: Executor;
  readonly #ahead: Promise<Readonly<Record<Counter, number[]>>>;

  constructor(executor: Executor, writes: number) {
    this.#executor = executor;
    this.#ahead = this.#ask(writes);
    // Whoever takes a number learns of the error.
    this.#ahead.catch(() => {});
  }

  async take(counter: Counter, count: number): Promise<number[]> {
    const ahead = (await this.#ahead)[counter];
    if (count <= ahead.length) return ahead.splice(0, count);
    // Smaller numbers may not follow larger ones.
    ahead.length = 0;
    const rows = await this.#executor.all(
      sql`select nextval('${raw(sequenceNames[counter])}') as next from generate_series(1, ${count})`,
    );
    return rows.map((row) => readNumber(row, 'next'));
  }

  async #ask(writes: number): Promise<Record<Counter, number[]>> {
    const rows = await this.#executor.all(
      sql`select nextval('${raw(sequenceNames.node)}') as node, nextval('${raw(sequenceNames.seq)}') as seq
        from generate_series(1, ${writes})`,
    );
    return {
      node: rows.map((row) => readNumber(row, 'node')),
      seq: rows.map((row) => readNumber(row, 'seq')),
    };
  }
}
