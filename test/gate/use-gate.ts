import { afterEach, beforeEach } from 'vitest';
import type { GateSettings } from '../../src/gate/gate-settings.js';
import type { Store } from '../../src/store/store-contract.js';
import { type Scratch, scratchStore } from '../helpers/stores.js';
import { GateClient, type Ground, registerPeople } from './gate-client.js';
import type { GateKind } from './gate-kinds.js';

/** A fresh store with the schema of people for each test, and a gate on it. */
export interface GateContext {
  readonly store: Store;
  /** What the gate writes to. */
  readonly ground: Ground;
  readonly warnings: readonly string[];
  /** A gate with the default settings. */
  readonly gate: GateClient;
  open(settings?: GateSettings): Promise<GateClient>;
}

export function useGate({ store, database }: GateKind): GateContext {
  let scratch: Scratch;
  let gate: GateClient;
  const opened: GateClient[] = [];
  const warnings: string[] = [];
  const ground = () => database?.() ?? scratch.store;
  const open = async (settings: GateSettings = {}) => {
    const client = await GateClient.direct(scratch.store, {
      gate: { ...database?.().settings, ...settings },
      warn: (message) => warnings.push(message),
    });
    opened.push(client);
    return client;
  };
  beforeEach(async () => {
    scratch = await scratchStore(store);
    await database?.().clear();
    warnings.length = 0;
    await registerPeople(ground());
    gate = await open();
  });
  afterEach(async () => {
    for (const client of opened.splice(0)) await client.close();
    await scratch.dispose();
  });
  return {
    get store() {
      return scratch.store;
    },
    get ground() {
      return ground();
    },
    warnings,
    get gate() {
      return gate;
    },
    open,
  };
}
