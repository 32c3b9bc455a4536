import type { CedarValueJson, Context, EntityJson, TypeAndId } from '@cedar-policy/cedar-wasm/nodejs';
import type { Actor } from '../actor.js';
import type { ConcreteAccessRequest } from './access-request.js';
import {
  branchId,
  graphId,
  keyOfEntity,
  partOfGraph,
  queryId,
  serverEntity,
  unknownValue,
} from './cedar-entities.js';
import { graphActions } from './policy-document.js';

export interface CedarRequest {
  readonly principal: TypeAndId;
  readonly action: TypeAndId;
  readonly resource: TypeAndId;
  readonly context: Context;
  readonly entities: EntityJson[];
}

export interface PolicyFacts {
  /** The groups that the policy itself assigns. */
  groupsOf(actor: string): readonly string[];
  /** Without it, branches have no attribute `protected`. */
  readonly protectedBranches?: ReadonlySet<string>;
}

/** Stands for every name that no rule mentions; no real name contains NUL. */
export const unmentioned = '\0';

/** Undefined if the request lacks what its action needs. With `open`, Cedar leaves unmentioned names open. */
export function cedarRequest(
  facts: PolicyFacts,
  actor: Actor,
  request: ConcreteAccessRequest,
  { open }: { readonly open: boolean } = { open: false },
): CedarRequest | undefined {
  const principal = actorEntity(facts, actor);
  const action = { type: 'Action', id: request.action };
  const { graph, branch, query } = request;
  if (graphActions.includes(request.action)) {
    const resource = graph === undefined ? serverEntity : graphId(graph);
    return { principal: idOf(actor), action, resource, context: {}, entities: [principal] };
  }
  if (graph === undefined || branch === undefined) return undefined;
  const nameOf = (name: string, what: string) => (open && name === unmentioned ? unknownValue(what) : name);
  const uid = branchId(graph, branch);
  const attrs = { name: nameOf(branch, 'branch'), ...protection(facts, branch) };
  const entities = [principal, partOfGraph(uid, graph, attrs)];
  if (request.action !== 'invoke_query')
    return { principal: idOf(actor), action, resource: uid, context: {}, entities };
  if (query === undefined) return undefined;
  const resource = queryId(graph, query);
  return {
    principal: idOf(actor),
    action,
    resource,
    context: { branch: { __entity: uid } },
    entities: [...entities, partOfGraph(resource, graph, { name: nameOf(query, 'query') })],
  };
}

export function principalsOf(facts: PolicyFacts, actor: Actor): ReadonlySet<string> {
  const { parents } = actorEntity(facts, actor);
  return new Set([idOf(actor), ...parents].map(keyOfEntity));
}

function idOf(actor: Actor): TypeAndId {
  return { type: 'Actor', id: actor.id };
}

function actorEntity(facts: PolicyFacts, actor: Actor): EntityJson & { parents: TypeAndId[] } {
  const groups = new Set([...actor.groups, ...facts.groupsOf(actor.id)]);
  const parents: TypeAndId[] = [...groups].map((id) => ({ type: 'Group', id }));
  if (actor.tenant !== undefined) parents.push({ type: 'Tenant', id: actor.tenant });
  parents.push(...[...new Set(actor.scopes)].map((id) => ({ type: 'Scope', id })));
  return { uid: idOf(actor), attrs: {}, parents };
}

function protection(facts: PolicyFacts, branch: string): Record<string, CedarValueJson> {
  const { protectedBranches } = facts;
  return protectedBranches === undefined ? {} : { protected: protectedBranches.has(branch) };
}
