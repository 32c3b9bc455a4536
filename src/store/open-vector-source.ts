import type { VectorSource, VectorStore } from './vector-store.js';

export interface OpenVectors {
  readonly vectors: VectorStore;
  close(): Promise<void>;
}

/** Opens the vectors of a store that another thread has open, for work that gives way to others. */
export async function openVectorSource(source: VectorSource): Promise<OpenVectors> {
  switch (source.kind) {
    case 'sqlite':
      return (await import('./sqlite/vectors/open-sqlite-vectors.js')).openSqliteVectors(source);
    case 'postgres':
      return (await import('./postgres/vectors/open-postgres-vectors.js')).openPostgresVectors(source);
  }
}
