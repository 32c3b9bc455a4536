import type { Command } from 'commander';
import { createToken, listTokens, revokeTokens } from '../access/tokens/edit-tokens.js';
import type { KnownToken } from '../access/tokens/token-file.js';
import { resolvePath } from '../config/paths.js';
import { loadSettings } from '../config/settings.js';
import { systemClock } from '../model/clock.js';
import { TrellisError } from '../model/error.js';
import { checkIdentity, parseNames } from './access/identity-options.js';
import { configOption, jsonOption } from './command-options.js';
import { note, pluralize, print } from './print.js';

interface FileOptions {
  readonly file?: string;
  readonly config?: string;
  readonly json?: boolean;
}

interface CreateOptions extends FileOptions {
  readonly actor: string;
  readonly expires?: string;
  readonly groups?: string;
  readonly tenant?: string;
  readonly scopes?: string;
}

interface RevokeOptions extends FileOptions {
  readonly actor?: string;
  readonly id?: string;
}

const help = `
A token identifies the actor that sends a request. It is printed once, when it is created; the file
keeps only its hash. A running server picks up a changed file within a second.

Examples:
  $ trellis token create --actor ann --groups team --expires 30d
  $ trellis token list
  $ trellis token revoke --actor ann
`;

export function define(command: Command): void {
  command.addHelpText('after', help);
  fileOptions(command.command('create').description('Create a token for an actor and print it once.'))
    .requiredOption('--actor <name>', 'the actor it identifies')
    .option('--expires <time>', 'when it expires: 90m, 12h, 30d or 8w from now, or a date (default: never)')
    .option('--groups <names>', 'the groups of the actor, separated by commas')
    .option('--tenant <name>', 'the tenant of the actor')
    .option('--scopes <names>', 'scopes for rules with token_scopes, separated by commas')
    .action(create);
  fileOptions(
    command
      .command('list')
      .description('List the tokens of a file by id; the tokens themselves are not stored.'),
  ).action(list);
  fileOptions(command.command('revoke').description('Revoke the tokens of an actor, or one token.'))
    .option('--actor <name>', 'revoke all tokens of this actor')
    .option('--id <id>', 'revoke the token with this id')
    .action(revoke);
}

function fileOptions(command: Command): Command {
  return jsonOption(
    configOption(
      command.option(
        '--file <path>',
        'the token file (default: the one in the configuration, or tokens.json)',
      ),
    ),
  );
}

async function create(options: CreateOptions): Promise<void> {
  const actor = checkIdentity(options.actor, '--actor');
  const tenant = options.tenant === undefined ? undefined : checkIdentity(options.tenant, '--tenant');
  const groups = parseNames(options.groups, '--groups');
  const scopes = parseNames(options.scopes, '--scopes');
  const now = systemClock();
  const expires = options.expires === undefined ? undefined : parseExpiry(options.expires, now);
  const file = await resolveTokenFile(options);
  const { token, id } = await createToken(file, { actor, groups, scopes, tenant, expires }, now);
  const until = expires === undefined ? undefined : new Date(expires).toISOString();
  if (options.json) return print({ token, id, actor, groups, scopes, tenant, expires: until, file });
  print(token);
  note(`saved the hash of this token for ${actor} in ${file}, with the id ${id}`);
  note(`${until === undefined ? 'it never expires' : `it expires at ${until}`}, and is not shown again`);
}

async function list(options: FileOptions): Promise<void> {
  const file = await resolveTokenFile(options);
  const tokens = (await listTokens(file)).map(describeToken);
  if (options.json) print({ file, tokens });
  else if (tokens.length === 0) print(`No tokens in ${file}`);
  else print(tokens.map(line).join('\n'));
}

async function revoke({ actor, id, ...options }: RevokeOptions): Promise<void> {
  if ((actor === undefined) === (id === undefined))
    throw new TrellisError('USAGE', 'Give either --actor or --id.', {
      hint: 'trellis token list shows both.',
    });
  const file = await resolveTokenFile(options);
  const revoked = await revokeTokens(
    file,
    id === undefined ? { actor: actor ?? '' } : { id: id.toLowerCase() },
  );
  if (options.json) print({ file, revoked: revoked.map(describeToken) });
  else
    print(
      `Revoked ${pluralize(revoked.length, 'token')} of ${revoked[0]?.actor}: ${revoked.map((token) => token.id).join(', ')}`,
    );
}

function describeToken({ id, actor, groups, scopes, tenant, created, expires, plain }: KnownToken) {
  return {
    ...{ id, actor, groups, scopes, tenant, created: timeText(created), expires: timeText(expires) },
    expired: expires !== undefined && expires <= systemClock(),
    in_clear: plain,
  };
}

function line({
  id,
  actor,
  groups,
  scopes,
  tenant,
  expires,
  expired,
  in_clear,
}: ReturnType<typeof describeToken>) {
  return [
    `${id}  ${actor}`,
    ...(groups.length === 0 ? [] : [`groups ${groups.join(', ')}`]),
    ...(scopes.length === 0 ? [] : [`scopes ${scopes.join(', ')}`]),
    ...(tenant === undefined ? [] : [`tenant ${tenant}`]),
    ...(expires === undefined ? [] : [`${expired ? 'expired' : 'expires'} ${expires}`]),
    ...(in_clear ? ['stored in plain text'] : []),
  ].join('  ');
}

function timeText(time: number | undefined): string | undefined {
  return time === undefined ? undefined : new Date(time).toISOString();
}

const units: ReadonlyMap<string, number> = new Map([
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
  ['w', 604_800_000],
]);

function parseExpiry(given: string, now: number): number {
  const [, count, unit = ''] = /^(\d{1,6})([a-z])$/.exec(given) ?? [];
  const step = units.get(unit);
  const time =
    count !== undefined && step !== undefined
      ? now + Number(count) * step
      : /^\d{4}-\d{2}-\d{2}(T.+)?$/.test(given)
        ? Date.parse(given)
        : Number.NaN;
  if (Number.isNaN(time))
    throw new TrellisError('USAGE', `--expires is ${JSON.stringify(given)}, which is not a valid time.`, {
      hint: 'Give 90m, 12h, 30d or 8w from now, or a date like 2027-01-31 or 2027-01-31T12:00:00Z.',
    });
  if (time <= now)
    throw new TrellisError('USAGE', `The expiry time ${new Date(time).toISOString()} is in the past.`, {
      hint: 'Give a time in the future.',
    });
  return time;
}

/** The named one, the one the server reads, or `tokens.json` here. */
async function resolveTokenFile({ file, config }: FileOptions): Promise<string> {
  if (file !== undefined) return resolvePath(file);
  const tokens = (await loadSettings({ config })).server.access?.tokens;
  if (tokens === undefined) return resolvePath('tokens.json');
  if ('file' in tokens) return tokens.file;
  throw new TrellisError(
    'USAGE',
    `The configuration takes tokens from the variable ${tokens.env}, which cannot be written from here.`,
    { hint: 'Name a file with --file, and put its text into the variable.' },
  );
}
