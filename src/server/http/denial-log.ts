import type { AccessControl } from '../../access/access-control.js';
import type { Actor } from '../../access/actor.js';
import type { Denial } from '../../access/denial.js';
import type { Permission } from '../../access/permission.js';
import type { DeniedCall } from '../../surfaces/report-denials.js';
import type { RequestOrigin } from '../../surfaces/request-context.js';
import type { SurfaceAddress } from './surface-address.js';

/** Never contains arguments. */
export interface DeniedRequest extends Partial<Omit<Denial, 'action'>> {
  readonly actor: string;
  readonly graph?: string;
  readonly tool?: string;
  readonly resource?: string;
  /** `any`: everything on that graph or branch is denied. */
  readonly action?: string;
  readonly reason?: string;
}

type DenialScope = Pick<SurfaceAddress, 'graph' | 'branch'>;

/** Clients could fill the log with long names. */
const maxLoggedNameLength = 200;

export class DenialLog {
  readonly #access: AccessControl;
  readonly #log: (denied: DeniedRequest, requestId: string) => void;

  constructor(access: AccessControl, log: (denied: DeniedRequest, requestId: string) => void) {
    this.#access = access;
    this.#log = log;
  }

  callDenied(
    origin: RequestOrigin,
    scope: DenialScope,
    { tool, resource, missingPermissions }: DeniedCall,
  ): void {
    const denial = missingPermissions && this.#denial(origin.actor, missingPermissions, scope);
    const reason =
      missingPermissions === undefined
        ? `no such ${tool === undefined ? 'resource' : 'tool'} here`
        : 'no grant';
    this.#write(origin, scope, { tool, resource, ...(denial ?? { reason }) });
  }

  scopeDenied(origin: RequestOrigin, scope: DenialScope): void {
    const denial = this.#denial(origin.actor, [{ action: 'read' }], scope);
    this.#write(origin, scope, { ...denial, action: 'any' });
  }

  scopeNotFound(origin: RequestOrigin, scope: DenialScope, what: 'graph' | 'branch'): void {
    this.#write(origin, scope, { reason: `no such ${what}` });
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
    { actor, requestId }: RequestOrigin,
    { graph, branch }: DenialScope,
    why: Partial<Record<keyof DeniedRequest, string | undefined>>,
  ): void {
    const about = graph === '' ? {} : { graph, branch };
    const entries = Object.entries({ ...about, ...why }).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, value.slice(0, maxLoggedNameLength)]],
    );
    this.#log({ actor: actor.id, ...Object.fromEntries(entries) }, requestId);
  }
}
