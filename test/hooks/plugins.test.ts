import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, test } from 'vitest';
import { cliPath, useSandbox } from '../cli/run-cli.js';
import { root } from '../docs/pages.js';
import { claudeCode } from './transcripts.js';

const sandbox = useSandbox();
const readJson = async (path: string) => JSON.parse(await readFile(join(root, path), 'utf8'));

interface HooksFile {
  readonly hooks: Readonly<
    Record<string, readonly { readonly hooks: readonly { readonly command: string }[] }[]>
  >;
}

/** As the client does it: by a shell, with JSON on standard input. */
async function run(command: string, input: object, path: string): Promise<string> {
  const env = {
    ...sandbox.env,
    TRELLIS_HOOK_TIMEOUT: '60000',
    PATH: path,
    CLAUDE_PLUGIN_ROOT: join(root, 'plugins/claude-code'),
  };
  const running = promisify(execFile)('/bin/sh', ['-c', command], { env, cwd: sandbox.folder });
  running.child.stdin?.on('error', () => {});
  running.child.stdin?.end(JSON.stringify(input));
  const { stdout, stderr } = await running;
  return stdout + stderr;
}

beforeEach(async () => {
  await sandbox.run(['add', 'Shop', '--type', 'project', '--observation', 'PINNED: Use euros']);
  await writeFile(sandbox.path('transcript.jsonl'), claudeCode);
  await mkdir(sandbox.path('bin'));
  await writeFile(
    sandbox.path('bin', 'trellis'),
    `#!/bin/sh\nexec '${process.execPath}' '${cliPath}' "$@"\n`,
  );
  await chmod(sandbox.path('bin', 'trellis'), 0o755);
});

describe.each([
  ['plugins/claude-code', ['SessionStart', 'PreCompact', 'SessionEnd']],
  ['plugins/gemini-cli', ['SessionStart', 'PreCompress', 'SessionEnd']],
])('%s', (folder, events) => {
  test('its hooks brief the session and keep a note of it; without trellis they do nothing', async () => {
    const { hooks }: HooksFile = await readJson(`${folder}/hooks/hooks.json`);
    expect(Object.keys(hooks)).toEqual(events);
    const session = {
      ...{ session_id: 's-1', cwd: sandbox.folder, transcript_path: sandbox.path('transcript.jsonl') },
    };
    const outputs: string[] = [];
    for (const [event, groups] of Object.entries(hooks)) {
      const command = groups[0]?.hooks[0]?.command ?? '';
      const input = { ...session, hook_event_name: event };
      expect(await run(command, input, '/nowhere')).toBe('');
      outputs.push(await run(command, input, `${sandbox.path('bin')}:/usr/bin:/bin`));
    }
    const [brief = '', ...others] = outputs;
    expect(JSON.parse(brief).hookSpecificOutput.additionalContext).toContain('- Shop: Use euros');
    expect(others).toEqual(['', '']);
    const { stdout } = await sandbox.run(['get', 'Session s-1']);
    expect(stdout).toContain('The user said: Thanks, use euros.');
  });
});

test('the manifests name what is there, with the version of the package', async () => {
  const { version, license } = await readJson('package.json');
  const { plugins } = await readJson('.claude-plugin/marketplace.json');
  const claude = await readJson(join(plugins[0].source, '.claude-plugin/plugin.json'));
  expect(claude).toMatchObject({ name: plugins[0].name, version, license });
  expect(await readJson('plugins/gemini-cli/gemini-extension.json')).toMatchObject({
    name: claude.name,
    version,
  });
  const skill = await readFile(join(root, 'plugins/claude-code/skills/memory/SKILL.md'), 'utf8');
  expect(skill).toMatch(/^---\nname: memory\ndescription: .+\n---\n/);
  const server = { command: 'npx', args: ['-y', 'trellis-memory', 'stdio'] };
  expect(await readJson('plugins/claude-code/.mcp.json')).toEqual({ mcpServers: { trellis: server } });
});
