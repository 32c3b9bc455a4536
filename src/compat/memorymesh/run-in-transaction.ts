/** Whatever can be begun and then committed or rolled back. */
export interface Transactional {
  beginTransaction(): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

/** Runs the operation; commits if it succeeds, else rolls back and throws what it threw. */
export async function runInTransaction<T>(on: Transactional, operation: () => Promise<T>): Promise<T> {
  await on.beginTransaction();
  let result: T;
  try {
    result = await operation();
  } catch (error) {
    await on.rollback();
    throw error;
  }
  await on.commit();
  return result;
}
