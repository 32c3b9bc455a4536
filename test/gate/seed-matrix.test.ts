import { storeGateKinds } from './gate-kinds.js';
import { seedMatrix } from './suites/seed-matrix.js';

for (const kind of storeGateKinds) seedMatrix(kind);
