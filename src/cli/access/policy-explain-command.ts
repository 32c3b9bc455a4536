import type { Actor } from '../../access/actor.js';
import { type Action, actions, atLeastOne, type Permission } from '../../access/permission.js';
import type { Policy } from '../../access/policy/policy.js';
import { readPolicy } from '../../access/policy/read-policy.js';
import { permissionCheckFor } from '../../access/policy/server-policies.js';
import { actorFromToken, readTokens, type TokenSource } from '../../access/tokens/token-authenticator.js';
import type { KnownToken } from '../../access/tokens/token-file.js';
import { surfaceSettings } from '../../config/graph-settings.js';
import { openExistingStore, withStore } from '../../config/open-configured-store.js';
import { loadSettings, type Settings, settingsOfGraph } from '../../config/settings.js';
import { Graph } from '../../engine/graph.js';
import { readTextFile } from '../../file/read-text-file.js';
import { asTrellisError, TrellisError } from '../../model/error.js';
import { openInMemorySqliteStore } from '../../store/sqlite/sqlite-store.js';
import type { Store } from '../../store/store-contract.js';
import { openSurface, surfaceNames } from '../../surfaces/surface-registry.js';
import type { CommonOptions } from '../command-options.js';
import { note, pluralize, print } from '../print.js';
import { checkIdentity, parseNames } from './identity-options.js';
import { resolvePolicyFile } from './resolve-policy-file.js';

interface ExplainOptions extends CommonOptions {
  readonly actor: string;
  readonly groups?: string;
  readonly tenant?: string;
  readonly scopes?: string;
  readonly branch: string;
  readonly policy?: string;
}

interface ExplainRequest {
  readonly policy: Policy;
  readonly actor: Actor;
  readonly graph: string;
  readonly branch: string;
}

interface Verdict {
  readonly allowed: boolean;
  readonly rules: readonly string[];
}

interface ToolVerdict extends Verdict {
  readonly tool: string;
  readonly denied: readonly Action[];
  /** Agents see it; some of what is allowed is for REST alone. */
  readonly shown: boolean;
}

interface SurfaceVerdict {
  readonly surface: string;
  readonly tools: readonly ToolVerdict[];
  readonly unavailable?: string;
}

export async function explainPolicy(options: ExplainOptions): Promise<void> {
  const settings = await loadSettings(options);
  const actor = await resolveActor(settings, options);
  const { file: path, protectedBranches } = await resolvePolicyFile(options.policy, options);
  const policy = await readPolicy(await readTextFile(path), path, { protectedBranches });
  const graph = settings.graph.value;
  const { branch } = options;
  const request = { policy, actor, graph, branch };
  const granted = actions.map((action) => ({ action, ...verdictOn(request, action) }));
  const surfaces = await explainSurfaces(request, settings);
  if (options.json) print({ policy: path, actor: actor.id, graph, branch, actions: granted, surfaces });
  else {
    print(`What ${actor.id} may do on the graph ${graph}, on some branch at least, by ${path}:\n`);
    print(alignRows(granted.map(({ action, ...verdict }) => [action, verdictText(verdict)])));
    for (const surface of surfaces) print(forPeople(surface, branch));
  }
}

/** From the flags, else from the actor's token in the configuration. */
async function resolveActor({ server }: Settings, options: ExplainOptions): Promise<Actor> {
  const { groups, tenant, scopes } = options;
  const id = checkIdentity(options.actor, '--actor');
  const given: Actor = {
    id,
    groups: parseNames(groups, '--groups'),
    ...(tenant === undefined ? {} : { tenant: checkIdentity(tenant, '--tenant') }),
    scopes: parseNames(scopes, '--scopes'),
    source: 'token',
  };
  const source = server.access?.tokens;
  if (source === undefined || (groups ?? tenant ?? scopes) !== undefined) return given;
  const location = 'file' in source ? source.file : source.env;
  const found = await tokenIdentity(source, id).catch((error: unknown) => {
    if (!(error instanceof TrellisError) || error.code === 'USAGE') throw error;
    note(error.message);
    return undefined;
  });
  if (found === undefined)
    note(`there is no token of ${id} in ${location}, so it is in no groups but those of the policy`);
  else if (found.groups.length > 0)
    note(`${id} is in ${found.groups.join(', ')} by its token in ${location}`);
  return found ?? given;
}

/** For some branch, and for some query. */
function verdictOn({ policy, actor, graph }: ExplainRequest, action: Action): Verdict {
  const { allowed, rule } = policy.decide(actor, { action, graph, branch: atLeastOne, query: atLeastOne });
  return { allowed, rules: rule === undefined ? [] : [rule] };
}

async function explainSurfaces(
  request: ExplainRequest,
  settings: Settings,
): Promise<readonly SurfaceVerdict[]> {
  return withStore(storeForExplain(settings), async (store) => {
    const found: SurfaceVerdict[] = [];
    for (const name of surfaceNames) found.push(await explainSurface(request, name, store, settings));
    return found;
  });
}

async function explainSurface(
  request: ExplainRequest,
  name: string,
  store: Store,
  settings: Settings,
): Promise<SurfaceVerdict> {
  try {
    const surface = await openSurface(name, {
      store,
      graph: new Graph(store, request.graph),
      settings: surfaceSettings(settingsOfGraph(settings, request.graph)),
      warn: note,
    });
    try {
      const { policy, actor, graph, branch } = request;
      const viewer = { actor, may: permissionCheckFor(policy, actor, graph, branch) };
      const tools = surface.tools.map((tool) => {
        const verdict = verdictOnAll(request, tool.permissions());
        const shown = verdict.allowed && (surface.offers?.(tool, viewer) ?? true);
        return { tool: tool.name, ...verdict, shown };
      });
      return { surface: name, tools };
    } finally {
      await surface.close?.();
    }
  } catch (error) {
    return { surface: name, tools: [], unavailable: asTrellisError(error).message };
  }
}

function verdictOnAll(
  { policy, actor, graph, branch }: ExplainRequest,
  permissions: readonly Permission[],
): Omit<ToolVerdict, 'tool' | 'shown'> {
  const decided = permissions.map(({ action, query, branch: named = branch }) => ({
    action,
    ...policy.decide(actor, { action, graph, branch: named, query }),
  }));
  const rules = decided.flatMap(({ rule }) => rule ?? []);
  const denied = decided.filter(({ allowed }) => !allowed).map(({ action }) => action);
  return { allowed: denied.length === 0, rules: [...new Set(rules)], denied };
}

/** Without the graph, an empty store, on which surfaces have the tools they have without files. */
async function storeForExplain({ location, graph }: Settings): Promise<Store> {
  try {
    const store = await openExistingStore(location.value);
    if ((await store.graphs()).some(({ name }) => name === graph.value)) return store;
    await store.close();
  } catch (error) {
    if (!(error instanceof TrellisError && error.code === 'STORE_UNAVAILABLE')) throw error;
  }
  note(`there is no graph ${graph.value} yet, so these are the tools of an empty one`);
  const empty = await openInMemorySqliteStore();
  await empty.createGraph(graph.value);
  return empty;
}

function forPeople({ surface, tools, unavailable }: SurfaceVerdict, branch: string): string {
  if (unavailable !== undefined) return `\nThe surface ${surface} cannot be opened here: ${unavailable}`;
  if (tools.length === 0) return `\nThe surface ${surface} has no tools here.`;
  const lines = tools.map(({ tool, denied, shown, ...verdict }): readonly [string, string] => [
    tool,
    verdict.allowed
      ? `${verdictText(verdict)}${shown ? '' : ', but not shown as a tool: see mcp.allow_adhoc'}`
      : `denied: ${denied.join(', ')}`,
  ]);
  return `\nThe surface ${surface}, on ${branch}:\n\n${alignRows(lines)}`;
}

function verdictText({ allowed, rules }: Verdict): string {
  if (!allowed) return 'denied';
  return rules.length === 0 ? 'allowed' : `allowed by ${rules.join(', ')}`;
}

function alignRows(lines: readonly (readonly [string, string])[]): string {
  const width = Math.max(...lines.map(([name]) => name.length));
  return lines.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`).join('\n');
}

async function tokenIdentity(source: TokenSource, actor: string): Promise<Actor | undefined> {
  const tokens = (await readTokens(source)).filter((token) => token.actor === actor);
  const identities = new Map(tokens.map((token) => [JSON.stringify(actorFromToken(token)), token]));
  const [first, ...others] = [...identities.values()];
  if (others.length === 0) return first && actorFromToken(first);
  throw new TrellisError(
    'USAGE',
    `${actor} has ${pluralize(tokens.length, 'token')} that say different things: ${tokens.map(tokenFacts).join('; ')}.`,
    { hint: 'Say with --groups, --tenant and --scopes which one you mean.' },
  );
}

function tokenFacts({ id, groups, scopes, tenant }: KnownToken): string {
  const facts = [
    groups.length === 0 ? 'no groups' : `groups ${groups.join(', ')}`,
    ...(scopes.length === 0 ? [] : [`scopes ${scopes.join(', ')}`]),
    ...(tenant === undefined ? [] : [`tenant ${tenant}`]),
  ];
  return `${id} (${facts.join(', ')})`;
}
