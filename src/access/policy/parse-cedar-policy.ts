import type { DetailedError, PolicyJson, TypeAndId } from '@cedar-policy/cedar-wasm/nodejs';
import { TrellisError } from '../../model/error.js';
import { accessLimits } from '../../model/limits.js';
import type { BranchAndQueryNames, RuleHead } from './applicable-rules.js';
import type { Cedar } from './cedar.js';
import { graphOfId, nameInGraph } from './cedar-entities.js';
import { cedarSchema } from './cedar-schema.js';
import type { PolicyParts } from './policy.js';
import type { Mention } from './policy-mentions.js';

export interface CedarFileOptions {
  /** Gives branches the attribute `protected`; without it, a policy that uses it is refused. */
  readonly protectedBranches?: readonly string[] | undefined;
}

/** Validates the policy: a misspelt action would silently allow nothing. */
export function parseCedarPolicy(
  cedar: Cedar,
  text: string,
  path: string,
  { protectedBranches }: CedarFileOptions = {},
): PolicyParts {
  const refuse = (faults: readonly CedarFault[]) => new CedarFileFaults(text, path, faults).error();
  const split = cedar.policySetTextToParts(text);
  if (split.type === 'failure') throw refuse(split.errors);
  if (split.policy_templates.length > 0)
    throw refuse([{ message: 'templates cannot be used, since nothing would fill them in' }]);
  if (split.policies.length > accessLimits.rules)
    throw refuse([
      { message: `a policy may have ${accessLimits.rules} rules, and this has ${split.policies.length}` },
    ]);
  const schema = cedarSchema({ protection: protectedBranches !== undefined });
  const checked = cedar.validate({ schema, policies: { staticPolicies: text } });
  if (checked.type === 'failure') throw refuse(checked.errors);
  if (checked.validationErrors.length > 0) throw refuse(checked.validationErrors.map(({ error }) => error));
  const policies = inOrder(split.policies);
  const parsed = policies.map((policy) => jsonOf(cedar, policy));
  const lines = linesOf(policies, text);
  const ruleNames = parsed.map((policy, index) => nameOf(policy) ?? `line ${lines[index]}`);
  const twice = ruleNames.find((name, index) => ruleNames.indexOf(name) !== index);
  if (twice !== undefined) throw refuse([{ message: `two policies have the @id ${JSON.stringify(twice)}` }]);
  const entities = entitiesIn(parsed);
  return {
    policies,
    ruleNames,
    facts: {
      groupsOf: () => [],
      ...(protectedBranches === undefined ? {} : { protectedBranches: new Set(protectedBranches) }),
    },
    rules: parsed.map(headOf),
    mentions: parsed.flatMap((policy, index) => mentionsOf(policy, ruleNames[index] ?? '')),
    distinctions: {
      graphs: new Set(entities.flatMap((entity) => graphOf(entity) ?? [])),
      namesIn: (graph) => namesIn(graph, entities),
      readsNames: readsAttribute(parsed, 'name'),
    },
  };
}

function mentionsOf(policy: PolicyJson, rule: string): readonly Mention[] {
  const at = `the rule ${rule}`;
  return entitiesIn(policy).flatMap((entity): Mention[] => {
    const { type, id: name } = entity;
    if (type === 'Group') return [{ kind: 'group', name, at }];
    if (type === 'Actor') return [{ kind: 'actor', name, at }];
    const graph = graphOf(entity);
    if (graph === undefined) return [];
    const query = type === 'StoredQuery' ? nameInGraph(name, graph) : undefined;
    return [
      { kind: 'graph', name: graph, at },
      ...(query === undefined ? [] : [{ kind: 'query', name: query, graphs: [graph], at } as const]),
    ];
  });
}

function headOf(policy: PolicyJson): RuleHead {
  const { effect, principal, action } = policy;
  const entities = entitiesIn(policy);
  return { effect, principal, action, candidateNames: (graph) => namesIn(graph, entities) };
}

function namesIn(graph: string, entities: readonly TypeAndId[]): BranchAndQueryNames {
  const named = (type: string) =>
    entities.flatMap((entity) => (entity.type === type ? (nameInGraph(entity.id, graph) ?? []) : []));
  return { branches: named('Branch'), queries: named('StoredQuery') };
}

function graphOf({ type, id }: TypeAndId): string | undefined {
  if (type === 'Graph') return id;
  return type === 'Branch' || type === 'StoredQuery' ? graphOfId(id) : undefined;
}

function readsAttribute(value: unknown, name: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return (
    ('attr' in value && value.attr === name) ||
    Object.values(value).some((part) => readsAttribute(part, name))
  );
}

type CedarFault = Pick<DetailedError, 'message'> & Partial<DetailedError>;

/** Cedar counts bytes, not lines. */
class CedarFileFaults {
  readonly #bytes: Buffer;

  constructor(
    text: string,
    readonly path: string,
    readonly faults: readonly CedarFault[],
  ) {
    this.#bytes = Buffer.from(text, 'utf8');
  }

  error(): TrellisError {
    const listed = this.faults.map((fault) => this.#line(fault));
    return new TrellisError('POLICY_INVALID', listed.join('\n'), {
      hint: 'Fix the file, then check it with trellis policy check.',
      details: { path: this.path },
    });
  }

  #line({ message, help, sourceLocations }: CedarFault): string {
    const start = sourceLocations?.[0]?.start;
    const before = start === undefined ? '' : this.#bytes.subarray(0, start).toString('utf8');
    const position = start === undefined ? this.path : `${this.path}:${before.split('\n').length}`;
    // Cedar invents numbers for policies.
    const plain = message.replace(/^for policy `policy\d+`, /, '');
    return `${position}: ${plain}${help ? ` (${help})` : ''}`;
  }
}

/** Cedar returns policies sorted by the names it gave them, where 10 precedes 2. */
function inOrder(policies: readonly string[]): readonly string[] {
  const names = policies.map((_, index) => `policy${index}`).sort();
  return policies.map((_, index) => policies[names.indexOf(`policy${index}`)] ?? '');
}

function nameOf({ annotations = {} }: PolicyJson): string | undefined {
  return (Object.hasOwn(annotations, 'id') && annotations['id']) || undefined;
}

/** Only white space and comments separate policies. */
function linesOf(policies: readonly string[], text: string): readonly number[] {
  let end = 0;
  return policies.map((policy) => {
    const [passed = ''] = /^(?:\s|\/\/[^\n]*)*/.exec(text.slice(end)) ?? [];
    const start = end + passed.length;
    end = start + policy.length;
    return text.slice(0, start).split('\n').length;
  });
}

function jsonOf(cedar: Cedar, policy: string): PolicyJson {
  const answer = cedar.policyToJson(policy);
  if (answer.type === 'failure') throw new TrellisError('INTERNAL', 'Cedar cannot read back a policy.');
  return answer.json;
}

/** Every `Type::"id"` in a policy. */
function entitiesIn(value: unknown): readonly TypeAndId[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.values(value).flatMap(entitiesIn);
  if ('type' in value && typeof value.type === 'string' && 'id' in value && typeof value.id === 'string')
    inside.push({ type: value.type, id: value.id });
  return inside;
}
