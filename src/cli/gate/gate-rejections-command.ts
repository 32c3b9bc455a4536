import type { Command } from 'commander';
import type { z } from 'zod';
import { rejectionCodes } from '../../gate/check/rejected-error.js';
import { TrellisError } from '../../model/error.js';
import { gateRejectionsOutput } from '../../surfaces/graph/people/gate/people-gate-rejections.js';
import { type CommonOptions, dataOptions } from '../command-options.js';
import { parsePositiveInteger, parseTime } from '../history/parse-time.js';
import { print } from '../print.js';
import { withGraphTools } from '../remote/graph-tools.js';
import { collectPages } from '../remote/remote-history.js';

interface RejectionsOptions extends CommonOptions {
  readonly since?: number;
  readonly code?: string;
  readonly limit: number;
}

export function defineGateRejections(parent: Command): void {
  const command = parent
    .command('rejections')
    .description('List rejected writes, newest first.')
    .option('--since <time>', 'only those since a date, or within the last 30m, 12h, 7d', parseTime)
    .option('--code <code>', 'only those with this error code')
    .option('--limit <number>', 'at most this many', parsePositiveInteger, 100);
  dataOptions(command).action(run);
}

async function run({ since, limit, ...options }: RejectionsOptions): Promise<void> {
  const code = options.code === undefined ? undefined : parseCode(options.code);
  const from = since === undefined ? undefined : new Date(since).toISOString();
  await withGraphTools(options, async (tools) => {
    const rejections = await collectPages(limit, async (page) => {
      const args = { ...page, since: from, code };
      const answer = await tools.call('people_gate_rejections', args, gateRejectionsOutput);
      return { ...answer, items: answer.rejections };
    });
    const { graph } = tools;
    if (options.json) print({ graph, rejections: rejections.map(forPrograms) });
    else if (rejections.length === 0) print('No rejected writes.');
    else print(rejections.map(forPeople).join('\n'));
  });
}

type Rejection = z.output<typeof gateRejectionsOutput>['rejections'][number];

function forPrograms({ at, actor_id: actor, ...rejection }: Rejection): object {
  return { ...rejection, actor, time: at };
}

function forPeople({ at, code, tool, actor_id: actor, message, arguments: given }: Rejection): string {
  return `${at}  ${code}  ${tool} by ${actor}\n  ${message}\n  ${JSON.stringify(given)}`;
}

function parseCode(given: string): string {
  if (rejectionCodes.some((code) => code === given)) return given;
  throw new TrellisError('USAGE', `${JSON.stringify(given)} is not an error code of the gate.`, {
    hint: `Use one of: ${rejectionCodes.join(', ')}.`,
  });
}
