import type { Command } from 'commander';
import { z } from 'zod';
import { branchOption, type CommonOptions, dataOptions } from './command-options.js';
import { parsePositiveInteger, parseTime } from './history/parse-time.js';
import { printable } from './history/printable.js';
import { note, print } from './print.js';
import { withGraphTools } from './remote/graph-tools.js';

interface SearchOptions extends CommonOptions {
  readonly mode?: string;
  readonly type?: string;
  readonly tag?: string;
  readonly actor?: string;
  readonly since?: number;
  readonly limit: number;
}

const help = `
Finds nodes by the words of their names, summaries and observations and by meaning, best first, each
with what matched.

Examples:
  $ trellis search 'first program'
  $ trellis search engine --type machine --mode text --limit 5
`;

export function define(command: Command): void {
  command
    .argument('<text>', 'what to look for')
    .option('--mode <mode>', 'text: by words; embedding: by meaning; hybrid: by both (default: hybrid)')
    .option('--type <type>', 'only nodes of this type')
    .option('--tag <tag>', 'only nodes with this tag')
    .option('--actor <name>', 'only nodes that this actor changed last')
    .option('--since <when>', 'only nodes changed since a date, or how long ago: 12h, 30d', parseTime)
    .option('--limit <number>', 'at most this many nodes', parsePositiveInteger, 20);
  dataOptions(branchOption(command)).addHelpText('after', help).action(run);
}

const answerShape = z.object({
  hits: z.array(
    z.object({
      name: z.string(),
      type: z.string(),
      matches: z.array(
        z.object({ ordinal: z.int().optional(), field: z.string().optional(), text: z.string() }),
      ),
      updated_at: z.string(),
      actor_id: z.string(),
    }),
  ),
  nextCursor: z.string().optional(),
  warnings: z.array(z.string()).optional(),
});

async function run(text: string, options: SearchOptions): Promise<void> {
  const { mode, type, tag, actor, limit, branch, since: from } = options;
  const since = from === undefined ? undefined : new Date(from).toISOString();
  const answer = await withGraphTools(options, (tools) =>
    tools.call('people_search', { q: text, mode, type, tag, actor, since, limit, branch }, answerShape),
  );
  if (options.json === true) return print(answer);
  for (const { name, type: of, matches, updated_at, actor_id } of answer.hits) {
    print(`${printable(of)} ${printable(name)}  ${updated_at}  ${printable(actor_id)}`);
    for (const { ordinal, field, text: found } of matches)
      if (field !== 'name')
        print(`    ${ordinal === undefined ? 'summary:' : `${ordinal}.`} ${printable(cut(found))}`);
  }
  if (answer.hits.length === 0) print('Nothing found.');
  for (const warning of answer.warnings ?? []) note(warning);
  if (answer.nextCursor !== undefined) note(`there are more: pass --limit to see more than ${limit}`);
}

function cut(text: string): string {
  const characters = [...text];
  return characters.length > 200 ? `${characters.slice(0, 199).join('')}…` : text;
}
