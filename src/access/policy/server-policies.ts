import { WatchedFile, type WatchedFileOptions } from '../../file/watched-file.js';
import { compareText } from '../../model/order.js';
import type { MentionedNames } from '../access-control.js';
import type { Actor } from '../actor.js';
import { type Denial, describePermission } from '../denial.js';
import type { Permission, PermissionCheck } from '../permission.js';
import { type AccessRequest, type Decision, denied } from './access-request.js';
import type { CedarFileOptions } from './parse-cedar-policy.js';
import type { Policy } from './policy.js';
import { readPolicy } from './read-policy.js';

export interface PolicyFile extends CedarFileOptions {
  readonly file: string;
}

export interface PolicyFiles {
  /** Default: only the policies of graphs allow anything. */
  readonly server?: PolicyFile | undefined;
  /** They replace the server's policy, by graph. */
  readonly graphs?: ReadonlyMap<string, PolicyFile> | undefined;
}

export class ServerPolicies implements PolicyDecider {
  readonly #server: WatchedFile<Policy> | undefined;
  readonly #graphs: ReadonlyMap<string, WatchedFile<Policy>>;

  private constructor(
    server: WatchedFile<Policy> | undefined,
    graphs: ReadonlyMap<string, WatchedFile<Policy>>,
  ) {
    this.#server = server;
    this.#graphs = graphs;
  }

  static async open(files: PolicyFiles, options: WatchedFileOptions): Promise<ServerPolicies> {
    const server = files.server === undefined ? undefined : await watch(files.server, options);
    const graphs = new Map<string, WatchedFile<Policy>>();
    for (const [graph, file] of files.graphs ?? []) graphs.set(graph, await watch(file, options));
    return new ServerPolicies(server, graphs);
  }

  /** Reloads changed files. Await it once per request; it checks at most once a second. */
  async refresh(): Promise<void> {
    await Promise.all([this.#server, ...this.#graphs.values()].map((file) => file?.current()));
  }

  decide(actor: Actor, request: AccessRequest): Decision {
    return this.#of(request.graph)?.decide(actor, request) ?? denied;
  }

  hasAnyGrant(actor: Actor, graph: string): boolean {
    return this.#of(graph)?.hasAnyGrant(actor, graph) ?? false;
  }

  may(actor: Actor, graph: string, branch: string): PermissionCheck {
    return permissionCheckFor(this, actor, graph, branch);
  }

  denial(actor: Actor, permissions: readonly Permission[], graph: string | undefined): Denial | undefined {
    for (const permission of permissions) {
      const { allowed, rule = 'no rule' } = this.decide(actor, { ...permission, graph });
      if (!allowed)
        return { ...describePermission(permission), rule, policy: this.#file(graph)?.path ?? 'none' };
    }
    return undefined;
  }

  mentioned(graph: string): MentionedNames {
    const mentions = this.#of(graph)?.mentions ?? [];
    const names = (wanted: 'actor' | 'group') =>
      [...new Set(mentions.flatMap(({ kind, name }) => (kind === wanted ? [name] : [])))].sort(compareText);
    return { actors: names('actor'), groups: names('group') };
  }

  /** Looked up each time: a replaced policy must not be used. */
  #of(graph: string | undefined): Policy | undefined {
    return this.#file(graph)?.value;
  }

  #file(graph: string | undefined): WatchedFile<Policy> | undefined {
    const own = graph === undefined ? undefined : this.#graphs.get(graph);
    return own ?? this.#server;
  }
}

function watch(
  { file, protectedBranches }: PolicyFile,
  options: WatchedFileOptions,
): Promise<WatchedFile<Policy>> {
  return WatchedFile.open(file, (text, path) => readPolicy(text, path, { protectedBranches }), {
    ...options,
    replaced: (old) => old.release(),
  });
}

interface PolicyDecider {
  decide(actor: Actor, request: AccessRequest): Decision;
}

/** `branch` is the one the surface is bound to. */
export function permissionCheckFor(
  policy: PolicyDecider,
  actor: Actor,
  graph: string,
  branch: string,
): PermissionCheck {
  return (permissions) =>
    permissions.every(
      (permission) =>
        policy.decide(actor, {
          action: permission.action,
          graph,
          branch: permission.branch ?? branch,
          query: permission.query,
        }).allowed,
    );
}
