// @ts-check
// Follows a stream and notes each event in a file, from which it goes on when started again: node follower.js URL FILE
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';

const [url = '', file = ''] = process.argv.slice(2);
// What was being written when the process was killed does not count.
const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
const whole = text.slice(0, text.lastIndexOf('\n') + 1);
if (whole !== text) writeFileSync(file, whole);
const last = whole.trimEnd().split('\n').at(-1)?.split(' ')[0];

const response = await fetch(url, {
  headers: { Accept: 'text/event-stream', ...(last ? { 'Last-Event-ID': last } : {}) },
});
if (!response.ok || response.body === null) throw new Error(`${response.status} ${await response.text()}`);
let pending = '';
for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
  const blocks = (pending + chunk).split('\n\n');
  pending = blocks.pop() ?? '';
  for (const block of blocks) {
    const [, id, data] = /^id: (\S+)\nevent: commit\ndata: (.*)$/.exec(block) ?? [];
    if (data !== undefined) appendFileSync(file, `${id} ${JSON.parse(data).commit.commit_id}\n`);
  }
}
