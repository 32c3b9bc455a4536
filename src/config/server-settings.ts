import type { OidcSettings } from '../access/oidc/oidc-settings.js';
import type { AccessSettings } from '../access/open-access-control.js';
import type { PolicyFile } from '../access/policy/server-policies.js';
import { TrellisError } from '../model/error.js';
import type { AllowedHosts } from '../server/http/allowed-hosts.js';
import type { ServerLimits } from '../server/http/limits/server-limits.js';
import type { LogLevel } from '../server/log-levels.js';
import type { AuthBlock, PolicyBlock, ServerBlock } from './file/config-shape.js';
import type { ConfigFile } from './file/read-config.js';
import { type Environment, resolvePath } from './paths.js';

export interface ServerSettings {
  readonly publicUrl: string | undefined;
  readonly allowed: AllowedHosts;
  readonly limits: Partial<ServerLimits>;
  readonly log: LogLevel;
  /** Without it, only this machine may connect. */
  readonly access: AccessSettings | undefined;
}

export function serverSettings(file: ConfigFile | undefined, env: Environment): ServerSettings {
  const { server = {}, auth, policy, graphs = {} } = file?.content ?? {};
  const path = (given: string) => resolvePath(given, env, file?.folder);
  const policies = new Map(
    Object.entries(graphs).flatMap(([name, graph]) => {
      const own = policyFile(graph.policy, path);
      return own === undefined ? [] : [[name, own] as const];
    }),
  );
  const access = accessSettings(auth, { server: policyFile(policy, path), graphs: policies }, path);
  if (access === undefined && (policy?.file !== undefined || policies.size > 0))
    throw new TrellisError(
      'CONFIG_INVALID',
      'A policy is configured without auth, so there are no actors to apply it to.',
      { hint: 'Name tokens or an issuer under auth, or remove the policy.' },
    );
  return {
    publicUrl: server.public_url,
    allowed: allowedOf(server),
    limits: limitsOf(server),
    log: server.log ?? 'warn',
    access,
  };
}

/** A server answers to its public name, and to its own page there. */
function allowedOf({ allowed_hosts = [], allowed_origins = [], public_url }: ServerBlock): AllowedHosts {
  if (public_url === undefined) return { hosts: allowed_hosts, origins: allowed_origins };
  const { hostname, origin } = new URL(public_url);
  return { hosts: [...allowed_hosts, hostname], origins: [...allowed_origins, origin] };
}

function limitsOf({ limits = {} }: ServerBlock): Partial<ServerLimits> {
  const given = {
    requestsPerMinute: limits.requests_per_minute,
    concurrency: limits.concurrency,
    arrivalMs: limits.arrival_ms,
    sendMs: limits.send_ms,
    unsentBytes: limits.unsent_bytes,
    unsentBytesTotal: limits.unsent_bytes_total,
    readMs: limits.read_ms,
    depth: limits.depth,
    streams: limits.streams,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function accessSettings(
  auth: AuthBlock | undefined,
  policy: NonNullable<AccessSettings['policy']>,
  path: (given: string) => string,
): AccessSettings | undefined {
  if (auth?.tokens === undefined && auth?.oidc === undefined) return undefined;
  return { tokens: tokensOf(auth, path), oidc: oidcOf(auth, path), policy };
}

function tokensOf({ tokens }: AuthBlock, path: (given: string) => string): AccessSettings['tokens'] {
  if (tokens?.file !== undefined) return { file: path(tokens.file) };
  return tokens?.env === undefined ? undefined : { env: tokens.env };
}

function oidcOf({ oidc }: AuthBlock, path: (given: string) => string): OidcSettings | undefined {
  if (oidc === undefined) return undefined;
  return {
    issuer: oidc.issuer,
    audience: oidc.audience,
    jwksUri: oidc.jwks_uri,
    jwksFile: oidc.jwks_file === undefined ? undefined : path(oidc.jwks_file),
    algorithms: oidc.algorithms,
    actorClaim: oidc.actor_claim,
    groupsClaim: oidc.groups_claim,
    tenantClaim: oidc.tenant_claim,
    clockSkewSeconds: oidc.clock_skew,
    clientId: oidc.client_id,
    scopes: oidc.scopes,
  };
}

function policyFile(block: PolicyBlock | undefined, path: (given: string) => string): PolicyFile | undefined {
  if (block?.file === undefined) return undefined;
  return { file: path(block.file), protectedBranches: block.protected_branches };
}
