import type { Expr, PolicyJson, PrincipalConstraint } from '@cedar-policy/cedar-wasm/nodejs';
import type { Action } from '../permission.js';
import {
  type BranchScope,
  branchActions,
  type Rule,
  type Subject,
  targetActions,
} from './policy-document.js';

/** Built as data, so that no name can become part of the logic. A condition for some actions of the rule names them. */
export function compileRule(rule: Rule): PolicyJson {
  const conditions = [
    ...graphCondition(rule),
    ...tokenConditions(rule),
    ...queryCondition(rule),
    ...scopeCondition(
      rule,
      rule.branchScope,
      withoutQueries(branchActions),
      attribute(resource, 'protected'),
    ),
    ...scopeCondition(rule, rule.branchScope, ['invoke_query'], attribute(boundBranch, 'protected')),
    ...scopeCondition(rule, rule.targetBranchScope, targetActions, attribute(resource, 'protected')),
  ];
  return {
    effect: 'permit',
    principal: principalOf(rule.subject),
    action: { op: 'in', entities: rule.actions.map((action) => ({ type: 'Action', id: action })) },
    resource: { op: 'All' },
    conditions: conditions.map((body) => ({ kind: 'when', body })),
    annotations: { id: rule.id },
  };
}

const resource: Expr = { Var: 'resource' };
const boundBranch: Expr = { '.': { left: { Var: 'context' }, attr: 'branch' } };

function principalOf(subject: Subject): PrincipalConstraint {
  switch (subject.kind) {
    case 'any':
      return { op: 'All' };
    case 'actor':
      return { op: '==', entity: { type: 'Actor', id: subject.name } };
    case 'group':
      return { op: 'in', entity: { type: 'Group', id: subject.name } };
    case 'tenant':
      return { op: 'in', entity: { type: 'Tenant', id: subject.name } };
  }
}

function graphCondition({ graphs }: Rule): readonly Expr[] {
  if (graphs === undefined) return [];
  const entities = graphs.map((name): Expr => ({ Value: { __entity: { type: 'Graph', id: name } } }));
  return [{ in: { left: resource, right: { Set: entities } } }];
}

function tokenConditions({ tokenScopes = [] }: Rule): readonly Expr[] {
  return tokenScopes.map((id) => ({
    in: { left: { Var: 'principal' }, right: { Value: { __entity: { type: 'Scope', id } } } },
  }));
}

function queryCondition(rule: Rule): readonly Expr[] {
  if (rule.queries === undefined) return [];
  const named: Expr = {
    contains: {
      left: { Set: rule.queries.map((name): Expr => ({ Value: name })) },
      right: attribute(resource, 'name'),
    },
  };
  return [forActions(rule, ['invoke_query'], named)];
}

function scopeCondition(
  rule: Rule,
  scope: BranchScope,
  applicable: readonly Action[],
  isProtected: Expr,
): readonly Expr[] {
  if (scope === 'any' || !rule.actions.some((action) => applicable.includes(action))) return [];
  const fits: Expr = scope === 'protected' ? isProtected : { '!': { arg: isProtected } };
  return [forActions(rule, applicable, fits)];
}

/** Limits `condition` to these actions of the rule. */
function forActions(rule: Rule, applicable: readonly Action[], condition: Expr): Expr {
  const others = rule.actions.filter((action) => !applicable.includes(action));
  if (others.length === 0) return condition;
  const isOther: Expr = {
    in: {
      left: { Var: 'action' },
      right: { Set: others.map((action): Expr => ({ Value: { __entity: { type: 'Action', id: action } } })) },
    },
  };
  return { '||': { left: isOther, right: condition } };
}

function withoutQueries(actions: readonly Action[]): readonly Action[] {
  return actions.filter((action) => action !== 'invoke_query');
}

function attribute(of: Expr, attr: string): Expr {
  return { '.': { left: of, attr } };
}
