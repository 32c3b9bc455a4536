import type { DetailedError, PolicySet } from '@cedar-policy/cedar-wasm/nodejs';
import { TrellisError } from '../../model/error.js';

export type Cedar = typeof import('@cedar-policy/cedar-wasm/nodejs');

let loaded: Promise<Cedar> | undefined;

/** Cedar is several megabytes of WebAssembly, so it is loaded when the first policy is. */
export function loadCedar(): Promise<Cedar> {
  loaded ??= import('@cedar-policy/cedar-wasm/nodejs');
  return loaded;
}

/** Names under which Cedar keeps parsed policies; it never forgets one, so a name that is free again is reused. */
const freeNames: string[] = [];
let namesGiven = 0;

/** Policies that Cedar has parsed and keeps. */
export interface KeptPolicies {
  readonly name: string;
  release(): void;
}

/** Has Cedar parse and keep policies. */
export function keepPolicies(cedar: Cedar, policies: PolicySet): KeptPolicies {
  const name = freeNames.pop() ?? `policies-${namesGiven++}`;
  const answer = cedar.preparsePolicySet(name, policies);
  if (answer.type === 'failure') {
    freeNames.push(name);
    throw new TrellisError('INTERNAL', `Cedar refuses a policy: ${messages(answer.errors)}`);
  }
  return {
    name,
    release: () => {
      freeNames.push(name);
    },
  };
}

export function messages(errors: readonly DetailedError[]): string {
  return errors.map(({ message }) => message).join('; ');
}
