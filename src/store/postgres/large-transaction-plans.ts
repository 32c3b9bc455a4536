/** A transaction that inserts so many rows at once may make a small table large. */
const manyRows = 100;
/** After so many rows, tables that had no statistics are worth analyzing. */
const analyzedRows = 5_000;

const analyzedTables = [
  ...['identity', 'node_row', 'observation_row', 'edge_row'],
  ...['node_property', 'property_value', 'touched'],
];

const hasStatistics = `exists (select from pg_stats
  where schemaname = current_schema() and tablename = 'identity' and attname = 'graph')`;

/**
 * The plan of a prepared statement is kept, and one for an empty table reads all of it: the rest of the transaction would
 * do so for each chunk that it writes. Where there are statistics, kept plans are the better ones: with the number of a new
 * graph, which the statistics do not have yet, PostgreSQL expects it to be empty and reads all of it.
 */
const planOnceIfKnown = `select set_config('plan_cache_mode',
  case when ${hasStatistics} then current_setting('plan_cache_mode') else 'force_custom_plan' end, true)`;

/**
 * PostgreSQL takes the rows of the transaction itself into account. Nobody else can analyze the tables until it ends, so
 * one transaction at a time does, and none waits long for it or fails at its time limit. In a cluster, whose sessions begin
 * with another setting, tables are on other nodes.
 */
const analyzeOwnRows = `do $$ declare usual text := current_setting('lock_timeout'); begin
  if not ${hasStatistics} and pg_try_advisory_xact_lock(hashtext('trellis analyze'))
    and (select reset_val from pg_settings where name = 'plan_cache_mode') = 'force_generic_plan' then
    perform set_config('lock_timeout', '1s', true);
    begin
      analyze ${analyzedTables.join(', ')};
    exception when lock_not_available or query_canceled then null;
    end;
    perform set_config('lock_timeout', usual, true);
    if ${hasStatistics} then set local plan_cache_mode = force_generic_plan; end if;
  end if;
end $$`;

/** How PostgreSQL plans the statements of a transaction that inserts many rows. */
export class LargeTransactionPlans {
  #rows = 0;
  #isLarge = false;
  #isAnalyzed = false;

  /** What to run before so many rows are inserted at once. */
  before(rows: number): readonly string[] {
    const analyzes = this.#isLarge && !this.#isAnalyzed && this.#rows >= analyzedRows;
    const begins = !this.#isLarge && rows >= manyRows;
    this.#rows += rows;
    this.#isLarge ||= begins;
    this.#isAnalyzed ||= analyzes;
    return [...(begins ? [planOnceIfKnown] : []), ...(analyzes ? [analyzeOwnRows] : [])];
  }
}
