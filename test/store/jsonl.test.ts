import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStoreAtLocation } from '../../src/store/open-store-at-location.js';
import { storeConformance } from './conformance/index.js';

storeConformance({
  name: 'JSONL',
  capabilities: { graphs: false, branches: false, rejections: false, schemas: false },
  concurrent: false,
  async place() {
    const folder = await mkdtemp(join(tmpdir(), 'trellis-'));
    return {
      open: (options) => openStoreAtLocation(join(folder, 'memory.jsonl'), options),
      remove: () => rm(folder, { recursive: true }),
    };
  },
});
