import type { OpenVectors } from '../../open-vector-source.js';
import type { VectorSource } from '../../vector-store.js';
import { openPool } from '../pool.js';
import { publicLocation } from '../public-location.js';
import { TransactionRunner } from '../transaction-runner.js';
import { WorkTracker } from '../work-tracker.js';
import { PostgresVectorStore } from './postgres-vector-store.js';

/** One for the work, and one to make an index. */
const maxConnections = 2;

export function openPostgresVectors({
  url,
  plans,
  pgvector,
}: Extract<VectorSource, { kind: 'postgres' }>): OpenVectors {
  const limited = new URL(url);
  limited.searchParams.set('max', `${maxConnections}`);
  const pool = openPool(limited.href, plans);
  const work = new WorkTracker(publicLocation(url));
  const transactions = new TransactionRunner(pool, plans);
  return {
    vectors: new PostgresVectorStore({ pool, transactions, work, pgvector }),
    close: () => work.close(() => pool.end()),
  };
}
