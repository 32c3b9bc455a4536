import pg from 'pg';
import { openStore } from '../../src/store/open.js';
import { storeConformance } from './conformance/index.js';

const base = process.env['TRELLIS_TEST_POSTGRES'] ?? 'postgres://postgres@127.0.0.1:55432/postgres';
let n = 0;
storeConformance({
  name: 'PostgreSQL',
  capabilities: { graphs: true, branches: true },
  async place() {
    const name = `t${process.pid}_${++n}`;
    const admin = new pg.Client(base);
    await admin.connect();
    await admin.query(`create database ${name}`);
    await admin.end();
    const url = new URL(base); url.pathname = `/${name}`;
    return {
      open: (options) => openStore(url.href, options),
      remove: async () => {
        const a = new pg.Client(base); await a.connect(); await a.query(`drop database ${name} with (force)`); await a.end();
      },
    };
  },
});
