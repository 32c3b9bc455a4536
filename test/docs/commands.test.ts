import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { buildProgram, commandNames } from '../../src/cli/program.js';
import { codeLines, page, pages, root } from './pages.js';

const program = await buildProgram(commandNames);
const scripts = Object.keys(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts);

/** What npm itself does, whatever package.json says. */
const npmCommands = ['ci', 'install', 'link'];
/** Shown as an example of a flag that does not exist. */
const wrongOnPurpose = '--nope';

describe('commands shown in sh blocks', () => {
  const shown = pages.map(({ path }) => path).filter((path) => codeLines(page(path), 'sh').length > 0);

  test.each(shown)('%s names only what exists', (path) => {
    const wrong = codeLines(page(path), 'sh')
      .flatMap((line) => line.split(/&&|\||;|[()]|\s--\s(?=node|trellis|npx)/))
      .flatMap((command) => faultOf(command.trim().split(/\s+/)) ?? []);
    expect(wrong).toEqual([]);
  });
});

/** What is wrong with a command, or undefined. */
function faultOf(words: readonly string[]): string | undefined {
  const [first = '', ...rest] = words.filter((word) => !/^[A-Z_]+=/.test(word));
  if (first === 'npm') return npmFault(rest);
  if (first === 'trellis') return trellisFault(rest);
  if (first === 'npx' && rest.includes('trellis-memory'))
    return trellisFault(rest.slice(rest.indexOf('trellis-memory') + 1));
  if (first === 'node' && rest[0]?.endsWith('dist/bundle/trellis.js')) return trellisFault(rest.slice(1));
  return fileFault(rest);
}

function npmFault([command = '', script = '']: readonly string[]): string | undefined {
  if (npmCommands.includes(command)) return undefined;
  const wanted = command === 'run' ? script : command;
  return scripts.includes(wanted) ? undefined : `npm has no script ${wanted}`;
}

function trellisFault(words: readonly string[]): string | undefined {
  let command: Command = program;
  for (const word of words) {
    // Hidden ones are old spellings, which no page should show.
    const visible = command.createHelp().visibleCommands(command);
    const child = visible.find((candidate) => candidate.name() === word);
    if (child === undefined) break;
    command = child;
  }
  if (command === program) {
    const isBuiltIn = ['--help', '--version'].includes(words[0] ?? '');
    return isBuiltIn ? undefined : `trellis has no command ${words[0]}`;
  }
  const flags = words.filter((word) => word.startsWith('--') && word !== wrongOnPurpose);
  const unknown = flags.find(
    (flag) => flag !== '--help' && !command.options.some(({ long, hidden }) => long === flag && !hidden),
  );
  return unknown === undefined ? undefined : `trellis ${command.name()} has no flag ${unknown}`;
}

/** Files of the repository that a command names must be there. */
function fileFault(words: readonly string[]): string | undefined {
  const missing = words.find(
    (word) => /^(src|test|bench|docs|examples|scripts)\//.test(word) && !existsSync(join(root, word)),
  );
  return missing === undefined ? undefined : `there is no ${missing}`;
}
