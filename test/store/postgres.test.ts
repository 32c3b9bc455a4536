import { openStore } from '../../src/store/open.js';
import { borrowDatabase } from '../helpers/borrowed-database.js';
import { storeConformance } from './conformance/index.js';

storeConformance({
  name: 'PostgreSQL',
  capabilities: { graphs: true, branches: true, rejections: true },
  async place() {
    const { url, giveBack } = await borrowDatabase();
    return { open: (options) => openStore(url, options), remove: giveBack };
  },
});
