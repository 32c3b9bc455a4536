import { expect, test } from 'vitest';
import { useSandbox } from './run-cli.js';

const sandbox = useSandbox();

test('trellis demo loads a memory with history, a conflict to review and rejections', async () => {
  const { code, stdout } = await sandbox.run(['demo', '--store', 'd.db']);
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('into the graph demo') });
  expect(stdout).toContain('trellis ui --graph demo --store d.db\n');
  const on = ['--store', 'd.db', '--graph', 'demo', '--json'];
  const { nodes } = JSON.parse((await sandbox.run(['stats', ...on])).stdout);
  expect(stdout).toContain(`  ${nodes} nodes, `);
  const { commits } = JSON.parse((await sandbox.run(['log', ...on])).stdout);
  const actors = new Set(commits.map((commit: { actor: string }) => commit.actor));
  expect([...actors].sort()).toEqual(['ada', 'ben', 'contract-reader', 'nightly-agent']);
  const days = commits.map((commit: { time: string }) => Date.parse(commit.time));
  expect(Math.max(...days) - Math.min(...days)).toBeGreaterThan(10 * 86_400_000);
  const merged = await sandbox.run(['branch', 'merge', 'review/harbor-2', '--dry-run', ...on]);
  expect(JSON.parse(merged.stdout).conflicts).toHaveLength(1);
  const { rejections } = JSON.parse((await sandbox.run(['gate', 'rejections', ...on])).stdout);
  expect(rejections).toHaveLength(2);
});

test('an existing graph is left alone, and a JSON lines file refused', async () => {
  await sandbox.run(['demo', '--store', 'd.db']);
  const again = await sandbox.run(['demo', '--store', 'd.db']);
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('GRAPH_EXISTS') });
  expect(again.stderr).toContain('trellis graph delete demo --store d.db --yes');
  expect(await sandbox.run(['demo', '--store', 'd.jsonl'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('needs a database'),
  });
});
