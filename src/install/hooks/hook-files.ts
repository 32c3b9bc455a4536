import type { HookClient } from '../../hooks/hook-output.js';
import { inHome, joinPath, type Machine } from '../machine.js';
import type { EntryValue } from '../server-entry.js';
import { openCodePlugin } from './opencode-plugin.js';

export type HookEvent = 'session-start' | 'checkpoint';

/** How a shell runs `trellis hook` for an event. */
export type HookCommand = (event: HookEvent) => readonly string[];

/** A hook as an item of the list below `hooks` and the name of its event. */
export interface HookItem {
  readonly event: string;
  readonly value: EntryValue;
}

/** Where a client has its hooks, and what they look like there. */
interface HookFiles {
  userFile(machine: Machine): string;
  projectFile(machine: Machine): string;
  /** What a new file has besides the hooks. */
  readonly newFile?: EntryValue;
  /** Items of a JSON file, or the text of a file that is ours alone. */
  content(command: HookCommand, machine: Machine): readonly HookItem[] | string;
  readonly documentation: string;
}

/** Looked up on 2026-11-17. */
export const hookFiles: Readonly<Record<HookClient, HookFiles>> = {
  'claude-code': {
    userFile: (machine) => inHome(machine, '.claude', 'settings.json'),
    projectFile: (machine) => joinPath(machine, machine.cwd, '.claude', 'settings.json'),
    content: nested(
      { SessionStart: 'session-start', PreCompact: 'checkpoint', SessionEnd: 'checkpoint' },
      { timeout: 5 },
    ),
    documentation: 'https://code.claude.com/docs/en/hooks',
  },
  codex: {
    userFile: (machine) =>
      joinPath(machine, machine.env['CODEX_HOME'] || inHome(machine, '.codex'), 'hooks.json'),
    projectFile: (machine) => joinPath(machine, machine.cwd, '.codex', 'hooks.json'),
    // It has no event for the end of a session: Stop is the end of a turn.
    content: nested(
      { SessionStart: 'session-start', PreCompact: 'checkpoint', Stop: 'checkpoint' },
      { timeout: 5 },
    ),
    documentation: 'https://developers.openai.com/codex/hooks',
  },
  'gemini-cli': {
    userFile: (machine) => inHome(machine, '.gemini', 'settings.json'),
    projectFile: (machine) => joinPath(machine, machine.cwd, '.gemini', 'settings.json'),
    content: nested(
      { SessionStart: 'session-start', PreCompress: 'checkpoint', SessionEnd: 'checkpoint' },
      { name: 'trellis', timeout: 5_000 },
    ),
    documentation: 'https://geminicli.com/docs/hooks/reference',
  },
  cursor: {
    userFile: (machine) => inHome(machine, '.cursor', 'hooks.json'),
    projectFile: (machine) => joinPath(machine, machine.cwd, '.cursor', 'hooks.json'),
    newFile: { version: 1 },
    content: (command, machine) =>
      Object.entries({
        sessionStart: 'session-start',
        preCompact: 'checkpoint',
        sessionEnd: 'checkpoint',
      } as const).map(([event, hook]) => ({ event, value: { command: shellLine(command(hook), machine) } })),
    documentation: 'https://cursor.com/docs/hooks',
  },
  opencode: {
    userFile: (machine) => inHome(machine, '.config', 'opencode', 'plugins', 'trellis.js'),
    projectFile: (machine) => joinPath(machine, machine.cwd, '.opencode', 'plugins', 'trellis.js'),
    content: (command) => openCodePlugin(command('session-start')),
    documentation: 'https://opencode.ai/v1/docs/plugins/',
  },
};

export function isHookClient(name: string): name is HookClient {
  return Object.hasOwn(hookFiles, name);
}

/** The form that Claude Code, Codex and Gemini CLI share; a session that is resumed has its brief already. */
function nested(
  events: Readonly<Record<string, HookEvent>>,
  extra: EntryValue,
): (command: HookCommand, machine: Machine) => readonly HookItem[] {
  return (command, machine) =>
    Object.entries(events).map(([event, hook]) => ({
      event,
      value: {
        ...(hook === 'session-start' && extra['name'] === undefined
          ? { matcher: 'startup|clear|compact' }
          : {}),
        hooks: [{ type: 'command', command: shellLine(command(hook), machine), ...extra }],
      },
    }));
}

/** Single quotes mean nothing to the shell of Windows. */
function shellLine(words: readonly string[], { platform }: Machine): string {
  const isPlain = (word: string) => /^[\w./:@%+=,\\-]+$/.test(word);
  const quoted = (word: string) =>
    platform === 'win32' ? `"${word.replaceAll('"', '\\"')}"` : `'${word.replaceAll("'", "'\\''")}'`;
  return words
    .map((word) => (isPlain(word) && !(platform !== 'win32' && word.includes('\\')) ? word : quoted(word)))
    .join(' ');
}
