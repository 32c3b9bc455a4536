import { setFlagsFromString } from 'node:v8';
import type { DetailedError, Policy, PolicySet } from '@cedar-policy/cedar-wasm/nodejs';
import { TrellisError } from '../../model/error.js';

export type Cedar = typeof import('@cedar-policy/cedar-wasm/nodejs');

let loaded: Promise<Cedar> | undefined;

/** Several megabytes of WebAssembly, so loaded with the first policy. */
export function loadCedar(): Promise<Cedar> {
  loaded ??= importCedar();
  return loaded;
}

function importCedar(): Promise<Cedar> {
  keepWasmCallsOutOfLine();
  return import('@cedar-policy/cedar-wasm/nodejs');
}

/**
 * V8 up to 12 (Node 20 to 23) may inline a call to WebAssembly into the optimised code of its caller. If that code is then
 * discarded during the call, and the call returns a reference, as Cedar's do, V8 ends the process: "unreachable code …
 * Deoptimizer::DoComputeBuiltinContinuation". So inlining has to be off before Cedar's functions can be optimised.
 */
function keepWasmCallsOutOfLine(): void {
  if (Number.parseInt(process.versions.v8, 10) < 13) setFlagsFromString('--no-turbo-inline-js-wasm-calls');
}

/** Cedar never forgets a preparsed set, so names are reused. */
const freeNames: string[] = [];
let namesGiven = 0;

export interface PreparsedPolicies {
  readonly name: string;
  release(): void;
}

export function preparsePolicies(cedar: Cedar, policies: readonly Policy[]): PreparsedPolicies {
  const name = freeNames.pop() ?? `policies-${namesGiven++}`;
  const answer = cedar.preparsePolicySet(name, policySet(policies.entries()));
  if (answer.type === 'failure') {
    freeNames.push(name);
    throw new TrellisError('INTERNAL', `Cedar refuses a policy: ${errorMessages(answer.errors)}`);
  }
  return {
    name,
    release: () => {
      freeNames.push(name);
    },
  };
}

/** The id of each policy is its number. */
export function policySet(numbered: Iterable<readonly [number, Policy]>): PolicySet {
  return { staticPolicies: Object.fromEntries(numbered) };
}

export function errorMessages(errors: readonly DetailedError[]): string {
  return errors.map(({ message }) => message).join('; ');
}
