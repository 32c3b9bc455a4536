import type { ActionConstraint, EntityUidJson, PolicyJson } from '@cedar-policy/cedar-wasm/nodejs';
import type { Action } from '../permission.js';
import { keyOfEntity } from './cedar-entities.js';

export interface BranchAndQueryNames {
  readonly branches: readonly string[];
  readonly queries: readonly string[];
}

export interface RuleHead {
  readonly effect: PolicyJson['effect'];
  readonly principal: PolicyJson['principal'];
  readonly action: PolicyJson['action'];
  /** Names to try when looking for one that the rule allows, besides those that no rule mentions. */
  candidateNames(graph: string): BranchAndQueryNames;
}

/** A rule whose head does not match has no say in Cedar either, so it can be left out. */
export function isApplicable(
  { principal, action }: RuleHead,
  principals: ReadonlySet<string>,
  wanted: Action,
): boolean {
  return matchesAction(action, wanted) && matchesPrincipal(principal, principals);
}

function matchesAction(constraint: ActionConstraint, wanted: Action): boolean {
  if (constraint.op === 'All') return true;
  const isWanted = (entity: EntityUidJson) => idOf(entity).id === wanted;
  if ('entities' in constraint) return constraint.entities.some(isWanted);
  return !('entity' in constraint) || isWanted(constraint.entity);
}

function matchesPrincipal(constraint: PolicyJson['principal'], principals: ReadonlySet<string>): boolean {
  const isMember = (entity: EntityUidJson) => principals.has(keyOfEntity(idOf(entity)));
  // `is` tests the type, and every principal is an actor.
  if (constraint.op === 'All' || constraint.op === 'is') return true;
  return !('entity' in constraint) || isMember(constraint.entity);
}

function idOf(entity: EntityUidJson) {
  return '__entity' in entity ? entity.__entity : entity;
}
