import type { Command } from 'commander';
import { surfaceSettings } from '../../config/graph-settings.js';
import { loadSettings, settingsOfGraph } from '../../config/settings.js';
import { TemporaryConnection } from '../../cypher/cypher-access.js';
import type { CypherConnection } from '../../cypher/cypher-connection.js';
import type { KeyConstraint } from '../../cypher/cypher-dialect.js';
import { isCovered, keysInUse, listConstraints } from '../../gate/cypher/key-constraints.js';
import { targetSettings } from '../../gate/cypher/target-settings.js';
import { openRegistrySource } from '../../gate/open-registry-source.js';
import { reasonOf, TrellisError } from '../../model/error.js';
import {
  type CommonOptions,
  configOption,
  graphOption,
  jsonOption,
  surfaceOptions,
} from '../command-options.js';
import { print } from '../print.js';

interface ConstraintsOptions extends CommonOptions {
  readonly apply?: boolean;
  readonly key?: readonly string[];
}

type State = 'present' | 'missing' | 'created' | 'failed';

interface CheckedKey extends KeyConstraint {
  readonly state: State;
  readonly reason?: string;
}

const help = `
Lists the keys that nodes were written with, or else the required properties of each label.
Without such a constraint, two gates that write the same node at once could create it twice.

Examples:
  $ trellis gate constraints --target bolt://localhost:7687
  $ trellis gate constraints --apply --key Person:email --target bolt://localhost:7687
`;

export function defineGateConstraints(parent: Command): void {
  const command = parent
    .command('constraints')
    .description(
      'List the uniqueness constraints that the graph database behind the gate needs, or create them.',
    )
    .option('--apply', 'create those that are missing')
    .option('--key <label:properties...>', 'another key, such as Person:email or City:name,country');
  jsonOption(surfaceOptions(graphOption(configOption(command))))
    .addHelpText('after', help)
    .action(run);
}

async function run(options: ConstraintsOptions): Promise<void> {
  const given = (options.key ?? []).map(parseKey);
  const settings = await loadSettings(options);
  const { gate = {}, schemas } = surfaceSettings(settingsOfGraph(settings, settings.graph.value));
  const target = targetSettings(gate);
  if (target === undefined)
    throw new TrellisError('USAGE', 'The gate writes to its own graph, which needs no constraints.', {
      hint: 'Name the graph database with --target, or as gate.target in the configuration.',
    });
  const access = new TemporaryConnection(target);
  const registry = await openRegistrySource(gate, { schemas, target: access }).load();
  const entries = registry.allCanonicalLabels().flatMap((label) => registry.getEntry(label) ?? []);
  const checked = await access.use(async (connection) => {
    const keys = [...(await keysInUse(connection, entries)), ...given];
    return checkKeys(connection, keys, options.apply === true);
  });
  if (options.json) print({ target: access.name, constraints: checked });
  else
    print(
      checked.length === 0
        ? 'No keys are known yet: add labels to the registry in the database, or name keys with --key Person:name.'
        : checked.map(line).join('\n'),
    );
  if (checked.some(({ state }) => state === 'failed')) process.exitCode = 1;
}

async function checkKeys(
  connection: CypherConnection,
  keys: readonly KeyConstraint[],
  isApplied: boolean,
): Promise<CheckedKey[]> {
  const present = await listConstraints(connection);
  const checked: CheckedKey[] = [];
  for (const key of keys) {
    if (isCovered(present, key)) checked.push({ ...key, state: 'present' });
    else if (isApplied) checked.push({ ...key, ...(await create(connection, key)) });
    else checked.push({ ...key, state: 'missing' });
  }
  return checked;
}

async function create(
  connection: CypherConnection,
  key: KeyConstraint,
): Promise<Pick<CheckedKey, 'state' | 'reason'>> {
  try {
    for (const command of connection.dialect.constraints.create(key)) await connection.alter(command);
    return { state: 'created' };
  } catch (error) {
    return { state: 'failed', reason: reasonOf(error) };
  }
}

function line({ label, properties, state, reason }: CheckedKey): string {
  return `${state.padEnd(8)} ${label} (${properties.join(', ')})${reason === undefined ? '' : `: ${reason}`}`;
}

/** `Person:name` or `City:name,country`. */
function parseKey(given: string): KeyConstraint {
  const colon = given.lastIndexOf(':');
  const properties = given
    .slice(colon + 1)
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (colon > 0 && properties.length > 0) return { label: given.slice(0, colon), properties };
  throw new TrellisError('USAGE', `${JSON.stringify(given)} is not label:property.`, {
    hint: 'Write for example: --key Person:email',
  });
}
