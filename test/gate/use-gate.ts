import { afterEach, beforeEach } from 'vitest';
import type { GateSettings } from '../../src/gate/gate-settings.js';
import type { Store } from '../../src/store/store-contract.js';
import { type Scratch, type StoreKind, scratchStore } from '../helpers/stores.js';
import { GateClient, registerPeople } from './gate-client.js';

/** A fresh store with the schema of people for each test, and a gate on it. */
export interface GateContext {
  readonly store: Store;
  readonly warnings: readonly string[];
  /** A gate with the default settings. */
  readonly gate: GateClient;
  open(settings?: GateSettings): Promise<GateClient>;
}

export function useGate(kind: StoreKind): GateContext {
  let scratch: Scratch;
  let gate: GateClient;
  const warnings: string[] = [];
  const open = (settings: GateSettings = {}) =>
    GateClient.direct(scratch.store, { gate: settings, warn: (message) => warnings.push(message) });
  beforeEach(async () => {
    scratch = await scratchStore(kind);
    warnings.length = 0;
    await registerPeople(scratch.store);
    gate = await open();
  });
  afterEach(() => scratch.dispose());
  return {
    get store() {
      return scratch.store;
    },
    warnings,
    get gate() {
      return gate;
    },
    open,
  };
}
