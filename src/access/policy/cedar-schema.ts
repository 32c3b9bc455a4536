import type { SchemaJson } from '@cedar-policy/cedar-wasm/nodejs';
import { type Action, actions } from '../permission.js';
import { graphActions } from './policy-document.js';

/** Without protected branches there is no attribute `protected`, so that a policy that relies on it is refused. */
export function cedarSchema({ protection }: { readonly protection: boolean }): SchemaJson<string> {
  const name = { name: { type: 'String' as const } };
  const named = { type: 'Record' as const, attributes: name };
  const branch = protection ? { ...name, protected: { type: 'Boolean' as const } } : name;
  return {
    '': {
      entityTypes: {
        Group: {},
        Tenant: {},
        Scope: {},
        Actor: { memberOfTypes: ['Group', 'Tenant', 'Scope'] },
        Server: {},
        Graph: {},
        Branch: { memberOfTypes: ['Graph'], shape: { type: 'Record', attributes: branch } },
        StoredQuery: { memberOfTypes: ['Graph'], shape: named },
      },
      actions: Object.fromEntries(actions.map((action) => [action, { appliesTo: appliesTo(action) }])),
    },
  };
}

function appliesTo(action: Action) {
  const bound = { branch: { type: 'Entity' as const, name: 'Branch' } };
  return {
    principalTypes: ['Actor'],
    resourceTypes: resourceTypes(action),
    context: { type: 'Record' as const, attributes: action === 'invoke_query' ? bound : {} },
  };
}

function resourceTypes(action: Action): string[] {
  if (action === 'invoke_query') return ['StoredQuery'];
  return graphActions.includes(action) ? ['Graph', 'Server'] : ['Branch'];
}
