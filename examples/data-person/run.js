// Typed data: declare what a graph may hold, load lines, ask questions, and see what does not fit.
import { startIn, trellis } from '../trellis.js';

startIn(import.meta.url);
const store = ['--store', 'data/shop.db'];

trellis('lint', 'shop.pg', 'shop.gq');
trellis('schema', 'apply', 'shop.pg', ...store);
trellis('ingest', 'data.jsonl', ...store);
trellis('query', 'shop.gq', '--name', 'sold_by_country', ...store);
trellis('query', 'shop.gq', '--name', 'buyers_of', '--param', 'sku=lamp', ...store);

// A batch is written whole or not at all: Dan is not stored either.
trellis('ingest', 'late.jsonl', ...store);
