import { databaseKinds, type StoreKind, sqlite } from '../helpers/stores.js';
import type { GraphDatabase } from './graph-database.js';

/** What a gate writes to: a store of Trellis, or a graph database beside one. */
export interface GateKind {
  readonly kind: string;
  /** Where the rejections are kept. */
  readonly store: StoreKind;
  readonly database?: () => GraphDatabase;
}

export const storeGateKinds: readonly GateKind[] = databaseKinds.map((store) => ({
  kind: store.kind,
  store,
}));

export function graphDatabaseKind(kind: string, database: () => GraphDatabase): GateKind {
  return { kind, store: sqlite, database };
}
