import type { Hono } from 'hono';
import { withTimeout } from '../../bounds/with-timeout.js';
import { publicError } from '../../model/public-error.js';
import type { Store } from '../../store/store-contract.js';
import { packageVersion } from '../package-version.js';
import type { Env } from './middleware.js';

const patienceMs = 5_000;
/** Probes of several load balancers share one look at the store. */
const freshMs = 1_000;

/** For whoever starts, restarts and routes to the server; they tell nothing about what it holds. */
export const probePaths: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

interface HealthOptions {
  readonly store: Store;
  readonly report: (error: unknown) => void;
}

export function mountHealthRoutes(app: Hono<Env>, { store, report }: HealthOptions): void {
  let asked = Number.NEGATIVE_INFINITY;
  let last: Promise<string | undefined> = Promise.resolve(undefined);
  app.get('/healthz', (context) => context.json({ status: 'ok', version: packageVersion() }));
  app.get('/readyz', async (context) => {
    const now = performance.now();
    if (now - asked >= freshMs) {
      asked = now;
      last = storeProblem(store, report);
    }
    const reason = await last;
    if (reason === undefined) return context.json({ status: 'ready' });
    return context.json({ status: 'unavailable', reason }, 503);
  });
}

/** Undefined if the store answers. */
async function storeProblem(store: Store, report: (error: unknown) => void): Promise<string | undefined> {
  try {
    return await withTimeout(
      store.graphs().then(() => undefined),
      patienceMs,
      () => `The store has not answered for ${patienceMs / 1000} seconds.`,
    );
  } catch (thrown) {
    return publicError(thrown, { isRemote: true, report }).message;
  }
}
