import { storeGateKinds } from './gate-kinds.js';
import { merging } from './suites/merging.js';

for (const kind of storeGateKinds) merging(kind);
