import type { Store } from './store-contract.js';

export async function graphNames(store: Pick<Store, 'graphs'>): Promise<string[]> {
  return (await store.graphs()).map(({ name }) => name);
}
