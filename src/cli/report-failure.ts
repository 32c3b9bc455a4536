import { asTrellisError } from '../model/error.js';
import { withoutControls } from './history/printable.js';
import { note } from './print.js';

/** @param command As the user typed it: `trellis branch list`. */
export function reportFailure(thrown: unknown, json: boolean, command = 'trellis'): number {
  const { code, message: said, hint: given, details } = asTrellisError(thrown);
  // Commands call tools and routes, which the user does not know.
  const message = said.replace(/^Invalid arguments for [^:]+: /, `Invalid arguments for ${command}: `);
  const hint = given === undefined ? undefined : withCommands(given);
  if (json) process.stderr.write(`${JSON.stringify({ error: { code, message, hint, details } })}\n`);
  else {
    note(`${message}${code === 'USAGE' ? '' : ` [${code}]`}`);
    if (hint !== undefined) process.stderr.write(`  ${withoutControls(hint)}\n`);
    if (code === 'INTERNAL' && thrown instanceof Error && thrown.stack)
      process.stderr.write(`${thrown.stack}\n`);
  }
  return code === 'USAGE' ? 2 : 1;
}

const commandsOf: ReadonlyMap<string, string> = new Map([
  ['search_nodes', 'trellis search'],
  ['open_nodes', 'trellis get'],
  ['commits_list', 'trellis log'],
  ['branches_list', 'trellis branch list'],
  ['branches_create', 'trellis branch create'],
]);

/** Hints are for agents too, and name tools. */
function withCommands(hint: string): string {
  const tools = [...commandsOf.keys()].join('|');
  return hint
    .replace(new RegExp(`\\b(${tools}) or: (?=trellis )`), '')
    .replaceAll(new RegExp(`\\b(${tools})\\b`, 'g'), (tool) => commandsOf.get(tool) ?? tool);
}

export function reportUsage(text: string, json: boolean): void {
  const [first = '', ...more] = text
    .replace(/^error: /, '')
    .trim()
    .split('\n');
  const hint = [...more.map((line) => line.trim()), 'Run trellis --help to see all commands and flags.']
    .filter((line) => line !== '')
    .join(' ');
  const message = `${first.charAt(0).toUpperCase()}${first.slice(1)}${/[.?!]$/.test(first) ? '' : '.'}`;
  if (json) process.stderr.write(`${JSON.stringify({ error: { code: 'USAGE', message, hint } })}\n`);
  else note(`${message}\n  ${hint}`);
}
