import { storeGateKinds } from './gate-kinds.js';
import { rejections } from './suites/rejections.js';

for (const kind of storeGateKinds) rejections(kind);
