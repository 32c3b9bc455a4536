import type { AccessControl } from '../../access/access-control.js';
import type { Actor } from '../../access/actor.js';
import type { Denial } from '../../access/denial.js';
import type { Permission } from '../../access/permission.js';
import type { DeniedCall } from '../../surfaces/report-denials.js';

/** What the log says of a request that was refused: who asked for what, and why not; never its arguments. */
export interface DeniedRequest extends Partial<Omit<Denial, 'action'>> {
  readonly actor: string;
  readonly graph?: string;
  readonly tool?: string;
  readonly resource?: string;
  /** `any`: everything on that graph or branch is denied. */
  readonly action?: string;
  /** Why, if it is not the policy that refuses it. */
  readonly reason?: string;
}

/** Where something was asked; without a graph, of the server as a whole. */
interface DenialScope {
  readonly graph: string;
  readonly branch: string;
}

/** Names that a client makes up are cut off, or they would fill the log. */
const maxLoggedNameLength = 200;

/** Explains refusals to whoever runs the server. */
export class DenialLog {
  readonly #access: AccessControl;
  readonly #log: (denied: DeniedRequest, requestId: string) => void;

  constructor(access: AccessControl, log: (denied: DeniedRequest, requestId: string) => void) {
    this.#access = access;
    this.#log = log;
  }

  /** A tool or resource that is not there, or not for this actor. */
  callDenied(
    actor: Actor,
    place: DenialScope,
    { tool, resource, missingPermissions }: DeniedCall,
    requestId: string,
  ): void {
    const denial = missingPermissions && this.#denial(actor, missingPermissions, place);
    const reason =
      missingPermissions === undefined
        ? `no such ${tool === undefined ? 'resource' : 'tool'} here`
        : 'no grant';
    this.#write(actor, place, { tool, resource, ...(denial ?? { reason }) }, requestId);
  }

  /** A graph or a branch on which an actor may do nothing. */
  scopeDenied(actor: Actor, place: DenialScope, requestId: string): void {
    const denial = this.#denial(actor, [{ action: 'read' }], place);
    this.#write(actor, place, { ...denial, action: 'any' }, requestId);
  }

  /** A graph or a branch that is not there. */
  scopeNotFound(actor: Actor, place: DenialScope, what: 'graph' | 'branch', requestId: string): void {
    this.#write(actor, place, { reason: `no such ${what}` }, requestId);
  }

  #denial(
    actor: Actor,
    permissions: readonly Permission[],
    { graph, branch }: DenialScope,
  ): Denial | undefined {
    if (graph === '') return this.#access.denial(actor, permissions);
    const needed = permissions.map(
      (permission): Permission => ({ ...permission, branch: permission.branch ?? branch }),
    );
    return this.#access.denial(actor, needed, graph);
  }

  #write(
    actor: Actor,
    { graph, branch }: DenialScope,
    why: Partial<Record<keyof DeniedRequest, string | undefined>>,
    requestId: string,
  ): void {
    const about = graph === '' ? {} : { graph, branch };
    const entries = Object.entries({ ...about, ...why }).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, value.slice(0, maxLoggedNameLength)]],
    );
    this.#log({ actor: actor.id, ...Object.fromEntries(entries) }, requestId);
  }
}
