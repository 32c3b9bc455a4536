import type { DetailedError } from '@cedar-policy/cedar-wasm/nodejs';
import { TrellisError } from '../../model/error.js';
import { accessLimits } from '../../model/limits.js';
import type { Cedar } from './cedar.js';
import { cedarSchema } from './cedar-schema.js';
import { nameInGraph } from './entities.js';
import type { PolicyParts } from './policy.js';

export interface CedarFileOptions {
  /** Gives branches the attribute `protected`; left out, a policy that asks for it is refused. */
  readonly protectedBranches?: readonly string[] | undefined;
}

/** What a `.cedar` file says, checked against what there is to speak of: a misspelt action would silently allow nothing. */
export function cedarParts(
  cedar: Cedar,
  text: string,
  path: string,
  { protectedBranches }: CedarFileOptions = {},
): PolicyParts {
  const refuse = (faults: readonly Fault[]) => new Refusal(text, path, faults).error();
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
  const ruleNames = policies.map((policy) => nameOf(cedar, policy, text));
  const twice = ruleNames.find((name, index) => ruleNames.indexOf(name) !== index);
  if (twice !== undefined) throw refuse([{ message: `two policies have the @id ${JSON.stringify(twice)}` }]);
  const entities = policies.flatMap((policy) => entitiesIn(jsonOf(cedar, policy)));
  const mentionedIn = (graph: string, type: string) =>
    entities.flatMap((entity) => (entity.type === type ? (nameInGraph(entity.id, graph) ?? []) : []));
  return {
    policies: { staticPolicies: Object.fromEntries(policies.map((policy, index) => [index, policy])) },
    ruleNames,
    facts: {
      groupsOf: () => [],
      ...(protectedBranches === undefined ? {} : { protectedBranches: new Set(protectedBranches) }),
    },
    mentioned: (graph) => ({
      branches: [...(protectedBranches ?? []), ...mentionedIn(graph, 'Branch')],
      queries: mentionedIn(graph, 'StoredQuery'),
    }),
    readsNames: true,
  };
}

type Fault = Pick<DetailedError, 'message'> & Partial<DetailedError>;

/** Faults of a file with their lines; Cedar counts bytes. */
class Refusal {
  readonly #bytes: Buffer;

  constructor(
    text: string,
    readonly path: string,
    readonly faults: readonly Fault[],
  ) {
    this.#bytes = Buffer.from(text, 'utf8');
  }

  error(): TrellisError {
    const listed = this.faults.map((fault) => this.#line(fault));
    return new TrellisError('POLICY_INVALID', listed.join('\n'), {
      hint: 'Mend the file; trellis policy check reads it again.',
      details: { path: this.path },
    });
  }

  #line({ message, help, sourceLocations }: Fault): string {
    const start = sourceLocations?.[0]?.start;
    const before = start === undefined ? '' : this.#bytes.subarray(0, start).toString('utf8');
    const place = start === undefined ? this.path : `${this.path}:${before.split('\n').length}`;
    // Cedar numbers policies that the file gives names or none.
    const plain = message.replace(/^for policy `policy\d+`, /, '');
    return `${place}: ${plain}${help ? ` (${help})` : ''}`;
  }
}

/** Cedar answers the policies in the order of the names it gave them, where 10 comes before 2. */
function inOrder(policies: readonly string[]): readonly string[] {
  const names = policies.map((_, index) => `policy${index}`).sort();
  return policies.map((_, index) => policies[names.indexOf(`policy${index}`)] ?? '');
}

/** Its `@id`, or else the line it begins at. */
function nameOf(cedar: Cedar, policy: string, text: string): string {
  const { annotations = {} } = jsonOf(cedar, policy);
  if (Object.hasOwn(annotations, 'id') && annotations['id']) return annotations['id'];
  const at = text.indexOf(policy);
  return `line ${text.slice(0, Math.max(at, 0)).split('\n').length}`;
}

function jsonOf(cedar: Cedar, policy: string) {
  const answer = cedar.policyToJson(policy);
  if (answer.type === 'failure') throw new TrellisError('INTERNAL', 'Cedar cannot read back a policy.');
  return answer.json;
}

/** Every `Type::"id"` in a policy. */
function entitiesIn(value: unknown): readonly { readonly type: string; readonly id: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.values(value).flatMap(entitiesIn);
  if ('type' in value && typeof value.type === 'string' && 'id' in value && typeof value.id === 'string')
    inside.push({ type: value.type, id: value.id });
  return inside;
}
