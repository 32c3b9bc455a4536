import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { gateInstructions } from '../../src/surfaces/gate/gate-surface.js';
import { clientOf, eras } from '../helpers/eras.js';
import { trellis } from '../helpers/stdio-process.js';
import { scratchFolder } from '../helpers/stores.js';
import { person } from './gate-client.js';

const schema = `fallback_label: Thing
nodes:
  - { label: Person, required_properties: [name] }
  - { label: Thing }
`;

describe.each(eras)('the official client on trellis stdio --surface gate, in the protocol of $era', (era) => {
  let folder: string;
  let client: Client;

  beforeEach(async () => {
    folder = await scratchFolder();
    const file = join(folder, 'gate.yaml');
    await writeFile(file, schema);
    const place = ['--store', join(folder, 'gate.db'), '--gate-schema', file];
    const args = [trellis, 'stdio', '--surface', 'gate', ...place];
    client = clientOf(era);
    await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
  });
  afterEach(async () => {
    await client.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('learns how to use the gate, and sees its three tools', async () => {
    expect(client.getInstructions()).toBe(gateInstructions);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'write_node',
      'write_relationship',
      'refresh_schema_cache',
    ]);
  });

  test('what fits the schema file is written, and what does not is turned away with the reason', async () => {
    await client.listTools();
    const write = async (args: object) =>
      (await client.callTool({ name: 'write_node', arguments: { ...args } })).structuredContent;
    expect(await write(person('Ada', { name: 'Ada' }))).toMatchObject({ status: 'written', label: 'Person' });
    expect(await write(person('Bob', {}, { merge_keys: { email: 'b@example.com' } }))).toMatchObject({
      status: 'rejected',
    });
    expect(await write(person('Rex', { name: 'Rex' }, { label: 'Dog' }))).toMatchObject({
      status: 'written',
      label: 'Thing',
    });
  });
});
