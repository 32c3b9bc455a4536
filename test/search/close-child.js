// @ts-check
// Closes a thread while it embeds: `node test/search/close-child.js SOURCE`, where SOURCE is JSON.
import { EmbeddingThread } from '../../dist/search/embedding/thread/embedding-thread.js';
import { defaultPerspectives } from '../../dist/search/perspectives.js';

const thread = new EmbeddingThread(JSON.parse(process.argv[2] ?? ''));
const embedding = thread.embed('default', defaultPerspectives);
await new Promise((done) => setTimeout(done, 20));
await thread.close();
await embedding;
process.stdout.write('closed\n');
