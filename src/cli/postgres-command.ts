import type { Command } from 'commander';
import { loadSettings } from '../config/settings.js';
import { TrellisError } from '../model/error.js';
import { storeKind } from '../store/open-store-at-location.js';
import type { TablePlan } from '../store/postgres/distribute-tables.js';
import { distributePostgresStore } from '../store/postgres/postgres-store.js';
import { type CommonOptions, jsonOption, locationOptions } from './command-options.js';
import { pluralize, print } from './print.js';

interface DistributeOptions extends CommonOptions {
  readonly dryRun?: boolean;
}

const help = `
For a database with the extension citus: every table with a column graph is distributed by it, so
that a graph is on one node, and the small tables are copied to every node. A store that is created
in such a database is distributed from the start. Restart running servers afterwards.

Examples:
  $ trellis postgres distribute --store postgres://coordinator/trellis --dry-run
  $ trellis postgres distribute --store postgres://coordinator/trellis
`;

export function define(command: Command): void {
  command.addHelpText('after', help);
  jsonOption(locationOptions(command.command('distribute')))
    .description('Distribute the tables of a store over the nodes of a Citus cluster.')
    .option('--dry-run', 'only say what would be done')
    .action(distribute);
}

async function distribute({ dryRun = false, ...options }: DistributeOptions): Promise<void> {
  const { location } = await loadSettings(options);
  const { kind, path } = location.value;
  if (kind !== 'store' || storeKind(path) !== 'postgres')
    throw new TrellisError('USAGE', `${path} is not a PostgreSQL database.`, {
      hint: 'Name one: trellis postgres distribute --store postgres://user@host/database',
    });
  const plans = await distributePostgresStore(path, { dryRun });
  print(options.json ? { dry_run: dryRun, tables: plans } : tableLines(plans, dryRun).join('\n'));
}

function tableLines(plans: readonly TablePlan[], dryRun: boolean): string[] {
  const open = plans.filter(({ now }) => now === 'local');
  if (open.length === 0) return ['All tables are distributed already.'];
  return [
    ...open.map(({ table, wanted }) =>
      wanted === 'distributed' ? `${table}: by graph` : `${table}: a copy on every node`,
    ),
    `${dryRun ? 'Would distribute' : 'Distributed'} ${pluralize(open.length, 'table')}.`,
  ];
}
