import { writeFile } from 'node:fs/promises';
import { beforeEach } from 'vitest';
import { type Sandbox, useSandbox } from './run-cli.js';

export const personSchema = 'node Person { email: String @key  age: I32? }\nedge Knows: Person -> Person\n';
export const personLines = [
  '{"type":"Person","data":{"email":"ada","age":36}}',
  '{"type":"Person","data":{"email":"bob"}}',
  '{"edge":"Knows","from":"ada","to":"bob","data":{}}',
  '',
].join('\n');

/** A folder with a graph schema, `work.pg`, and lines for it, `people.ndjson`. */
export function useTypedSandbox(): Sandbox {
  const sandbox = useSandbox();
  beforeEach(async () => {
    await writeFile(sandbox.path('work.pg'), personSchema);
    await writeFile(sandbox.path('people.ndjson'), personLines);
  });
  return sandbox;
}
