import type pg from 'pg';
import { postgresSchemaName } from './pool.js';

/** Tables that grow together; the first tells how far. */
type AnalyzedTables = readonly [string, ...string[]];

/** Tables are analyzed after this many written rows, then ever more; PostgreSQL does it from then on. */
const firstThreshold = 100;
const thresholdGrowth = 10;
const lastThreshold = 100_000;

export const nodeTables: AnalyzedTables = [
  'identity',
  'node_row',
  'observation_row',
  'edge_row',
  'node_property',
  'property_value',
  'touched',
  'commit_log',
];

/**
 * Analyzes a young database. Until PostgreSQL does so by itself, up to a minute after the first rows, its planner takes
 * graph and branch for selective columns and reads whole graphs to find a node.
 */
export class PlannerStatistics {
  readonly #pool: pg.Pool;
  readonly #tables: AnalyzedTables;
  #written = 0;
  #next = firstThreshold;

  constructor(pool: pg.Pool, tables: AnalyzedTables) {
    this.#pool = pool;
    this.#tables = tables;
  }

  /** Counts written rows and analyzes the tables if that is due: nobody has to wait for it. */
  async recordWrites(rows: number): Promise<void> {
    this.#written += rows;
    const written = this.#written;
    if (written < this.#next || this.#next > lastThreshold) return;
    while (this.#next <= written) this.#next *= thresholdGrowth;
    try {
      const known = await this.#pool.query(
        'select 1 from pg_class where oid = $1::regclass and reltuples > $2',
        [`${postgresSchemaName}.${this.#tables[0]}`, written / thresholdGrowth],
      );
      if (known.rowCount === 0) await this.#pool.query(`analyze ${this.#tables.join(', ')}`);
    } catch {
      // Queries work all the same, only more slowly.
    }
  }
}
