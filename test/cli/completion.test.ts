import { execFile, spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import { beforeEach, describe, expect, test } from 'vitest';
import { buildProgram, commandNames } from '../../src/cli/program.js';
import { useSandbox } from './run-cli.js';

const sandbox = useSandbox();
const program = await buildProgram(commandNames);

interface Shell {
  readonly name: string;
  /** Prints what completes each line, one word per line, and a line of `.` after each. */
  script(file: string, lines: readonly (readonly string[])[]): string;
  readonly args: readonly string[];
}

const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(' ');

const shells: readonly Shell[] = [
  {
    name: 'bash',
    args: ['--norc', '-c'],
    script: (file, lines) =>
      [
        `source ${file}`,
        ...lines.map(
          (words) =>
            `COMP_WORDS=(${quoted(words)}); COMP_CWORD=${words.length - 1}; _trellis; printf '%s\\n' "\${COMPREPLY[@]}" .`,
        ),
      ].join('\n'),
  },
  {
    name: 'zsh',
    args: ['-f', '-c'],
    // What zsh would show; only its line editor can ask it to.
    script: (file, lines) =>
      [
        `compdef() { }; _files() { }; compadd() { shift; print -l -- \${(M)@:#$PREFIX*} }`,
        `_describe() { print -l -- \${(M)\${items%%:*}:#$PREFIX*} }`,
        `source ${file}`,
        ...lines.map(
          (words) =>
            `words=(${quoted(words)}); CURRENT=${words.length}; PREFIX='${words.at(-1)}'; _trellis; print .`,
        ),
      ].join('\n'),
  },
  {
    name: 'fish',
    args: ['--no-config', '-c'],
    script: (file, lines) =>
      [
        `source ${file}`,
        ...lines.map((words) => `complete -C '${words.join(' ')}' | string replace -r '\\t.*' ''; echo .`),
      ].join('\n'),
  },
];

const isInstalled = (name: string) => spawnSync(name, ['-c', 'exit 0']).status === 0;

/** The words after each command, with what should complete them. */
function expectedCompletions(command: Command, path: readonly string[]): [string[], string[]][] {
  const help = command.createHelp();
  const children = help.visibleCommands(command);
  const flags = help.visibleOptions(command).flatMap(({ long }) => long ?? []);
  return [
    [[...path, '--'], flags],
    ...(children.length === 0
      ? []
      : [[[...path, ''], children.map((child) => child.name())] satisfies [string[], string[]]]),
    ...children
      .filter((child) => child.name() !== 'help')
      .flatMap((child) => expectedCompletions(child, [...path, child.name()])),
  ];
}

describe.each(shells.filter(({ name }) => isInstalled(name)))('$name', ({ name, args, script }) => {
  const file = () => sandbox.path('completion');

  beforeEach(async () => {
    const { code, stdout, stderr } = await sandbox.run(['completion', name]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    await writeFile(file(), stdout);
  });

  async function complete(lines: readonly (readonly string[])[]): Promise<string[][]> {
    const { stdout, stderr } = await promisify(execFile)(name, [...args, script(file(), lines)], {
      cwd: sandbox.folder,
      env: { ...sandbox.env, TERM: 'dumb' },
    });
    expect(stderr).toBe('');
    const answers: string[][] = [[]];
    for (const word of stdout.trimEnd().split('\n')) {
      if (word === '.') answers.push([]);
      else if (word !== '') answers.at(-1)?.push(word);
    }
    return answers.slice(0, -1).map((words) => words.sort());
  }

  test('completes the commands and flags of every command', async () => {
    const expected = expectedCompletions(program, ['trellis']);
    const answers = await complete(expected.map(([words]) => words));
    expect(expected.map(([words], index) => [words.join(' '), answers[index]])).toEqual(
      expected.map(([words, completions]) => [words.join(' '), [...completions].sort()]),
    );
  });

  test('what is typed limits what is offered, and the value of a flag is no command', async () => {
    const [begun, afterValue, choice, argument] = await complete([
      ['trellis', 'gr'],
      ['trellis', 'graph', 'list', '--store', 'create', '--js'],
      ['trellis', 'init', '--schemas', 'r'],
      ['trellis', 'completion', 'f'],
    ]);
    expect(begun).toEqual(['graph']);
    expect(afterValue).toEqual(['--json']);
    expect(choice).toEqual(['rpg']);
    expect(argument).toEqual(['fish']);
  });
});

test('another shell is wrong usage, with the ones there are', async () => {
  const { code, stderr } = await sandbox.run(['completion', 'tcsh']);
  expect(code).toBe(2);
  expect(stderr).toContain('bash, zsh, fish');
});
