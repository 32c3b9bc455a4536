import type { Actor } from '../actor.js';
import type { PermissionCheck } from '../permission.js';
import type { AccessRequest, Decision } from './access-request.js';

export interface PolicyDecider {
  decide(actor: Actor, question: AccessRequest): Decision;
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
