import { storeGateKinds } from './gate-kinds.js';
import { invariants } from './suites/invariants.js';

for (const kind of storeGateKinds) invariants(kind);
