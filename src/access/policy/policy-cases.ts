import { defaultGraph, mainBranch } from '../../model/graph-record.js';
import { YamlReader, type YamlValue } from '../../yaml/yaml-reader.js';
import type { Actor } from '../actor.js';
import { identityProblem } from '../identity-problem.js';
import { actions } from '../permission.js';
import type { ConcreteAccessRequest, Decision } from './access-request.js';
import type { Policy } from './policy.js';

export interface PolicyCase {
  readonly line: number;
  readonly actor: Actor;
  readonly request: ConcreteAccessRequest;
  readonly expected: boolean;
}

export interface PolicyCaseResult extends PolicyCase {
  readonly decision: Decision;
  readonly asExpected: boolean;
}

const caseKeys = [
  ...(['actor', 'groups', 'tenant', 'scopes'] as const),
  ...(['action', 'graph', 'branch', 'query', 'expect'] as const),
] as const;

export function parseCases(text: string, path: string): readonly PolicyCase[] {
  const source = new YamlReader(text, path, 'INVALID_ARGUMENT');
  const cases = source.list(source.root, 'the file of cases').flatMap((at) => readCase(source, at) ?? []);
  source.throwIfInvalid(
    'A case is { actor, action, expect: allow or deny }, and may have groups, tenant, scopes, graph, branch, query.',
  );
  return cases;
}

export function runCases(policy: Policy, cases: readonly PolicyCase[]): readonly PolicyCaseResult[] {
  return cases.map((one) => {
    const decision = policy.decide(one.actor, one.request);
    return { ...one, decision, asExpected: decision.allowed === one.expected };
  });
}

function readCase(source: YamlReader, at: YamlValue): PolicyCase | undefined {
  const fields = source.fields(at, 'a case', caseKeys);
  const text = (key: (typeof caseKeys)[number]) => {
    const entry = fields.get(key);
    return entry === undefined ? undefined : source.text(entry.value ?? entry.key, key);
  };
  const required = (key: 'actor' | 'action' | 'expect') => {
    const entry = fields.get(key);
    if (entry === undefined) source.addError(at, `a case needs "${key}".`);
    return entry?.value;
  };
  const id = required('actor') === undefined ? undefined : text('actor');
  const problem = id === undefined ? undefined : identityProblem(id);
  if (problem !== undefined) source.addError(fields.get('actor')?.value, `the actor ${problem}.`);
  const actionAt = required('action');
  const action = actionAt === undefined ? undefined : source.oneOf(actionAt, 'action', actions);
  const expectAt = required('expect');
  const expected = expectAt === undefined ? undefined : source.oneOf(expectAt, 'expect', ['allow', 'deny']);
  const names = (key: 'groups' | 'scopes') => {
    const entry = fields.get(key);
    return entry === undefined ? [] : source.texts(entry.value ?? entry.key, key);
  };
  const [groups, scopes] = [names('groups'), names('scopes')];
  const tenant = text('tenant');
  const [graph, branch, query] = [text('graph'), text('branch'), text('query')];
  if (id === undefined || action === undefined || expected === undefined) return undefined;
  return {
    line: source.lineOf(at),
    actor: {
      id,
      groups,
      ...(tenant === undefined ? {} : { tenant }),
      scopes,
      source: 'token',
    },
    request: { action, graph: graph ?? defaultGraph, branch: branch ?? mainBranch, query },
    expected: expected === 'allow',
  };
}
