import pg from 'pg';

export interface RoundTrips {
  /** How often a transaction that writes waited for answers: statements that are sent together are waited for once. */
  readonly waits: number;
  readonly transactions: number;
}

/** Counts for every store of this process while `work` runs. */
export async function countRoundTrips(work: () => Promise<unknown>): Promise<RoundTrips> {
  const { query } = pg.Client.prototype;
  const unanswered = new WeakMap<object, number>();
  const writing = new WeakSet<object>();
  const counted = { waits: 0, transactions: 0 };
  const counting = new Proxy(query, {
    apply(target, client: object, args: unknown[]) {
      const [config] = args;
      const text = typeof config === 'object' && config !== null && 'text' in config ? config.text : config;
      if (text === 'begin') {
        writing.add(client);
        counted.transactions += 1;
      }
      if (!writing.has(client)) return Reflect.apply(target, client, args);
      const before = unanswered.get(client) ?? 0;
      if (before === 0) counted.waits += 1;
      if (text === 'commit') writing.delete(client);
      unanswered.set(client, before + 1);
      const answered = () => unanswered.set(client, (unanswered.get(client) ?? 1) - 1);
      const result: unknown = Reflect.apply(target, client, args);
      if (result instanceof Promise) result.then(answered, answered);
      return result;
    },
  });
  Object.assign(pg.Client.prototype, { query: counting });
  try {
    await work();
    return counted;
  } finally {
    Object.assign(pg.Client.prototype, { query });
  }
}
