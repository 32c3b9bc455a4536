import type { Command } from 'commander';
import { loadSettings } from '../../config/load-settings.js';
import { openExistingStore, requireGraph } from '../../config/open-configured-store.js';
import { rejectionCodes } from '../../gate/check/rejected-error.js';
import { TrellisError } from '../../model/error.js';
import type { Rejection } from '../../model/rejection.js';
import { type CommonOptions, graphOption, jsonOption, locationOptions } from '../command-options.js';
import { print } from '../print.js';

interface RejectionsOptions extends CommonOptions {
  readonly since?: string;
  readonly code?: string;
  readonly limit?: string;
}

export function defineGateRejections(parent: Command): void {
  const command = parent
    .command('rejections')
    .description('List rejected writes, newest first.')
    .option('--since <time>', 'only those since a date, or within the last 30m, 12h, 7d')
    .option('--code <code>', 'only those with this error code')
    .option('--limit <number>', 'at most this many (default: 100)');
  jsonOption(graphOption(locationOptions(command))).action(run);
}

async function run(options: RejectionsOptions): Promise<void> {
  const page = {
    since: options.since === undefined ? undefined : parseSince(options.since, Date.now()),
    code: options.code === undefined ? undefined : parseCode(options.code),
    limit: options.limit === undefined ? 100 : parseLimit(options.limit),
  };
  const settings = await loadSettings(options);
  const store = await openExistingStore(settings.location.value);
  try {
    await requireGraph(store, settings.graph.value);
    const rejections = await store.rejections(settings.graph.value, page);
    if (options.json) print({ graph: settings.graph.value, rejections: rejections.map(forPrograms) });
    else if (rejections.length === 0) print('No rejected writes.');
    else print(rejections.map(forPeople).join('\n'));
  } finally {
    await store.close();
  }
}

function forPrograms({ time, ...rejection }: Rejection): object {
  return { ...rejection, time: new Date(time).toISOString() };
}

function forPeople({ time, code, tool, actor, message, arguments: given }: Rejection): string {
  return `${new Date(time).toISOString()}  ${code}  ${tool} by ${actor}\n  ${message}\n  ${JSON.stringify(given)}`;
}

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A date, or how long ago. */
function parseSince(given: string, now: number): number {
  const [, amount, unit = ''] = /^(\d{1,6})([mhd])$/.exec(given) ?? [];
  if (amount !== undefined) return now - Number(amount) * (units[unit] ?? 0);
  const time = /^\d{4}-\d{2}-\d{2}/.test(given) ? Date.parse(given) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new TrellisError('USAGE', `--since is ${JSON.stringify(given)}, which is no time.`, {
    hint: 'Give a date such as 2026-01-31 or 2026-01-31T12:00:00Z, or how long ago: 30m, 12h, 7d.',
  });
}

function parseCode(given: string): string {
  if (rejectionCodes.some((code) => code === given)) return given;
  throw new TrellisError('USAGE', `${JSON.stringify(given)} is not an error code of the gate.`, {
    hint: `Use one of: ${rejectionCodes.join(', ')}.`,
  });
}

function parseLimit(given: string): number {
  if (/^[1-9]\d{0,5}$/.test(given)) return Number(given);
  throw new TrellisError('USAGE', `--limit is ${JSON.stringify(given)}; give a number from 1 on.`);
}
