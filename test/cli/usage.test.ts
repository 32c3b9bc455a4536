import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { localCommands } from '../../src/cli/local-commands.js';
import { buildProgram, commandNames } from '../../src/cli/program.js';
import { environmentVariables } from '../../src/config/setting-layers.js';
import { useSandbox } from './run-cli.js';

const sandbox = useSandbox();

test('--version prints the version of the package', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(await sandbox.run(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test('--help names every command and every environment variable, and where the data is', async () => {
  const { code, stdout } = await sandbox.run(['--help']);
  expect(code).toBe(0);
  for (const name of [...commandNames, ...Object.values(environmentVariables), '$XDG_DATA_HOME/trellis']) {
    expect(stdout).toContain(name);
  }
});

describe.each([...commandNames])('trellis %s', (name) => {
  test('--help describes it and gives examples', async () => {
    const { code, stdout } = await sandbox.run([name, '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain(`Usage: trellis ${name}`);
    expect(stdout).toContain('Examples:');
    expect((await sandbox.run(['help', name])).stdout).toBe(stdout);
  });

  test('every flag and argument has a description', async () => {
    const program = await buildProgram([name]);
    const command = program.commands.find((candidate) => candidate.name() === name);
    const parts = [command, ...(command?.commands ?? [])].flatMap((each) => [
      ...(each?.options ?? []),
      ...(each?.registeredArguments ?? []),
    ]);
    expect(parts.length).toBeGreaterThan(0);
    for (const part of parts) expect(part.description, part.name()).not.toBe('');
  });
});

test('every command takes --url, or its help says why it works on this machine only', async () => {
  const program = await buildProgram(commandNames);
  const withoutUrl = (command: Command): boolean => {
    const children = command
      .createHelp()
      .visibleCommands(command)
      .filter((one) => one.name() !== 'help');
    return children.length === 0
      ? !command.options.some(({ long }) => long === '--url')
      : children.some(withoutUrl);
  };
  const local = program.commands.filter(withoutUrl).map((command) => command.name());
  expect(local).toEqual([...localCommands.keys()]);
  for (const name of local)
    expect((await sandbox.run([name, '--help'])).stdout).toContain('\nWorks on this machine only: it ');
});

test('no line of the help has more than 100 columns', async () => {
  const long: string[] = [];
  const check = (command: Command): void => {
    let help = '';
    command.configureOutput({
      getOutHelpWidth: () => 100,
      writeOut: (text) => {
        help += text;
      },
    });
    command.outputHelp();
    long.push(...help.split('\n').filter((line) => line.length > 100));
    command.commands.forEach(check);
  };
  check(await buildProgram(commandNames));
  expect(long).toEqual([]);
});

test('no command is wrong usage, and shows the help', async () => {
  const { code, stderr } = await sandbox.run([]);
  expect(code).toBe(2);
  expect(stderr).toContain('Usage: trellis');
});

test.each([
  ['an unknown command', ['servce'], /^trellis: Unknown command 'servce'\.\n {2}\(Did you mean serve\?\)/],
  ['an unknown flag', ['doctor', '--wrong'], /^trellis: Unknown option '--wrong'\./],
  ['a missing argument', ['import'], /^trellis: Missing required argument 'source'\./],
  ['an extra argument', ['doctor', 'x'], /^trellis: Too many arguments/],
  [
    '--file and --store together',
    ['stdio', '--file', 'a.jsonl', '--store', 'b.db'],
    /--file and --store are both given/,
  ],
  ['an invalid port', ['serve', '--port', 'http'], /--port is "http", which is not a port/],
  ['an unknown surface', ['stdio', '--surface', 'x'], /There is no surface named "x"/],
  ['a store of unknown kind', ['stdio', '--store', 'a.txt'], /Cannot tell what kind of store/],
  ['an address of another machine', ['serve', '--host', '0.0.0.0'], /not on 0\.0\.0\.0/],
  ['an unknown format', ['export', '--format', 'xml'], /There is no format named "xml"/],
])('%s is wrong usage', async (_, args, message) => {
  const { code, stdout, stderr } = await sandbox.run(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(message);
});

test('with --json an error is JSON too', async () => {
  const unknown = await sandbox.run(['doctor', '--json', '--wrong']);
  expect(unknown.code).toBe(2);
  expect(JSON.parse(unknown.stderr).error).toMatchObject({
    code: 'USAGE',
    message: "Unknown option '--wrong'.",
  });
  const missing = await sandbox.run(['export', '--json', '--store', 'none.db']);
  expect(missing.code).toBe(1);
  expect(JSON.parse(missing.stderr).error).toMatchObject({
    code: 'STORE_UNAVAILABLE',
    hint: expect.any(String),
  });
});

describe('trust 38: trellis help', () => {
  test.each([
    [['graph', 'create'], 'Usage: trellis graph create'],
    [['schema', 'apply'], 'Usage: trellis schema apply'],
    [['export', 'memory.jsonl'], 'Usage: trellis export'],
    [['graph'], 'Usage: trellis graph'],
    [['gate', 'schema', 'add'], 'Usage: trellis gate schema add'],
  ])('shows the help of %j', async (words, usage) => {
    const { code, stdout } = await sandbox.run(['help', ...words]);
    expect(code).toBe(0);
    expect(stdout).toContain(usage);
    expect(await sandbox.run([...words, '--help'])).toMatchObject({ code: 0, stdout });
  });

  test.each([
    [['help', 'graph', 'creat'], "Unknown command 'creat'.", 'create'],
    [['graph', 'creat', '--help'], "Unknown command 'creat'.", 'create'],
    [['servce', '--help'], "Unknown command 'servce'.", 'serve'],
    [['help', 'gate', 'schema', 'ad'], "Unknown command 'ad'.", 'add'],
  ])('names an unknown command: %j', async (words, message, meant) => {
    const { code, stdout, stderr } = await sandbox.run(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).toContain(meant);
  });
});
