import type { Command } from 'commander';
import { rejectionCodes } from '../../gate/check/rejected-error.js';
import { TrellisError } from '../../model/error.js';
import type { Rejection } from '../../model/rejection.js';
import { type CommonOptions, commonOptions } from '../command-options.js';
import { parsePositiveInteger, parseTime } from '../history/parse-time.js';
import { withGraph } from '../history/with-graph.js';
import { print } from '../print.js';

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
  commonOptions(command).action(run);
}

async function run({ since, limit, ...options }: RejectionsOptions): Promise<void> {
  const code = options.code === undefined ? undefined : parseCode(options.code);
  await withGraph(options, async (store, graph) => {
    const rejections = await store.rejections(graph, { since, code, limit });
    if (options.json) print({ graph, rejections: rejections.map(forPrograms) });
    else if (rejections.length === 0) print('No rejected writes.');
    else print(rejections.map(forPeople).join('\n'));
  });
}

function forPrograms({ time, ...rejection }: Rejection): object {
  return { ...rejection, time: new Date(time).toISOString() };
}

function forPeople({ time, code, tool, actor, message, arguments: given }: Rejection): string {
  return `${new Date(time).toISOString()}  ${code}  ${tool} by ${actor}\n  ${message}\n  ${JSON.stringify(given)}`;
}

function parseCode(given: string): string {
  if (rejectionCodes.some((code) => code === given)) return given;
  throw new TrellisError('USAGE', `${JSON.stringify(given)} is not an error code of the gate.`, {
    hint: `Use one of: ${rejectionCodes.join(', ')}.`,
  });
}
