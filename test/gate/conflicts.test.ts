import { storeGateKinds } from './gate-kinds.js';
import { conflicts, similarNodes } from './suites/conflicts.js';

for (const kind of storeGateKinds) {
  conflicts(kind);
  similarNodes(kind);
}
