import { isScalar } from 'yaml';
import { accessLimits } from '../../model/limits.js';
import { textProblem } from '../../model/text.js';
import { type YamlEntry, YamlReader, type YamlValue } from '../../yaml/yaml-reader.js';
import { identityProblem } from '../identity-problem.js';
import { type Action, actions } from '../permission.js';
import {
  type BranchScope,
  branchActions,
  branchScopes,
  type PolicyDocument,
  type Rule,
  type Subject,
  targetActions,
} from './policy-document.js';

const documentKeys = ['version', 'groups', 'protected_branches', 'rules'] as const;
const ruleKeys = ['id', 'allow'] as const;
const allowKeys = [
  ...(['actors', 'actions', 'branch_scope', 'target_branch_scope'] as const),
  ...(['graphs', 'queries', 'token_scopes'] as const),
] as const;
const subjectKinds = ['group', 'actor', 'tenant'] as const;

type AllowFields = ReadonlyMap<(typeof allowKeys)[number], YamlEntry>;

/** Reports all errors at once. */
export function parsePolicyDocument(text: string, path: string): PolicyDocument {
  const source = new YamlReader(text, path, 'POLICY_INVALID');
  const fields = source.fields(source.root, 'a policy', documentKeys);
  checkVersion(source, fields.get('version'));
  const document = {
    groups: readGroups(source, fields.get('groups')?.value),
    protectedBranches: readNames(source, fields.get('protected_branches')?.value, 'protected_branches'),
    rules: readRules(source, fields.get('rules')?.value),
  };
  source.throwIfInvalid('Fix the file, then check it with trellis policy check.');
  return document;
}

function checkVersion(source: YamlReader, version: YamlEntry | undefined): void {
  if (version === undefined) source.addError(source.root, 'a policy must begin with "version: 1".');
  else if (!isScalar(version.value) || version.value.value !== 1)
    source.addError(version.value ?? version.key, 'the version of a policy must be 1.');
}

function readGroups(source: YamlReader, at: YamlValue): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, readonly string[]>();
  if (at === undefined) return groups;
  for (const [name, { key, value }] of source.entries(at, 'groups')) {
    checkIdentity(source, key, 'the name of a group', name);
    groups.set(name, readNames(source, value ?? key, `the group ${name}`));
  }
  return groups;
}

function readRules(source: YamlReader, at: YamlValue): readonly Rule[] {
  if (at === undefined) {
    source.addError(source.root, 'a policy needs "rules".');
    return [];
  }
  const items = source.list(at, 'rules');
  if (items.length > accessLimits.rules)
    source.addError(at, `a policy may have ${accessLimits.rules} rules, and this has ${items.length}.`);
  const ids = new Set<string>();
  return items.flatMap((item) => {
    const rule = readRule(source, item);
    if (rule === undefined) return [];
    if (ids.has(rule.id))
      source.addError(item, `another rule has the id ${JSON.stringify(rule.id)} already.`);
    ids.add(rule.id);
    return [rule];
  });
}

function readRule(source: YamlReader, at: YamlValue): Rule | undefined {
  const fields = source.fields(at, 'a rule', ruleKeys);
  const idEntry = fields.get('id');
  if (idEntry === undefined) source.addError(at, 'a rule needs an "id".');
  const id =
    idEntry === undefined ? undefined : source.text(idEntry.value ?? idEntry.key, 'the id of a rule');
  if (idEntry !== undefined && id !== undefined) checkIdentity(source, idEntry.value, 'the id of a rule', id);
  const allow = fields.get('allow');
  if (allow === undefined) {
    source.addError(at, 'a rule needs "allow".');
    return undefined;
  }
  const allowed = source.fields(allow.value ?? allow.key, '"allow"', allowKeys);
  const granted = readActions(source, allowed, allow.key);
  if (granted === undefined) return undefined;
  const subject = readSubject(source, allowed, allow.key);
  const branchScope = readScope(source, allowed, 'branch_scope', granted, branchActions);
  const targetBranchScope = readScope(source, allowed, 'target_branch_scope', granted, targetActions);
  const graphs = readNonEmpty(source, allowed, 'graphs');
  const queries = readNonEmpty(source, allowed, 'queries');
  const tokenScopes = readNonEmpty(source, allowed, 'token_scopes');
  if (queries !== undefined && !granted.includes('invoke_query'))
    source.addError(
      allowed.get('queries')?.key,
      '"queries" limits the action invoke_query, which this rule does not allow.',
    );
  if (id === undefined || subject === undefined) return undefined;
  return {
    id,
    subject,
    actions: granted,
    branchScope,
    targetBranchScope,
    ...(graphs === undefined ? {} : { graphs }),
    ...(queries === undefined ? {} : { queries }),
    ...(tokenScopes === undefined ? {} : { tokenScopes }),
  };
}

/** Undefined if an action is unknown: then the rest of the rule cannot be checked. */
function readActions(
  source: YamlReader,
  fields: AllowFields,
  parent: YamlValue,
): readonly Action[] | undefined {
  const entry = fields.get('actions');
  if (entry === undefined) {
    source.addError(parent, '"allow" needs "actions".');
    return undefined;
  }
  const items = source.list(entry.value ?? entry.key, 'actions');
  if (items.length === 0) source.addError(entry.key, '"actions" is empty.');
  const known = items.flatMap((item) => source.oneOf(item, 'an action', actions) ?? []);
  return known.length === items.length ? [...new Set(known)] : undefined;
}

function readSubject(source: YamlReader, fields: AllowFields, parent: YamlValue): Subject | undefined {
  const entry = fields.get('actors');
  if (entry === undefined) {
    source.addError(parent, '"allow" needs "actors".');
    return undefined;
  }
  if (isScalar(entry.value)) {
    const word = source.oneOf(entry.value, '"actors" without a key', ['any']);
    return word === undefined ? undefined : { kind: 'any' };
  }
  const [first, ...more] = source.fields(entry.value ?? entry.key, '"actors"', subjectKinds);
  if (first === undefined || more.length > 0) {
    source.addError(entry.key, '"actors" is any, or has one of: group, actor, tenant.');
    return undefined;
  }
  const [kind, { key, value }] = first;
  const name = source.text(value ?? key, `the ${kind}`);
  if (name === undefined) return undefined;
  checkIdentity(source, value, `the ${kind}`, name);
  return { kind, name };
}

/** A scope that applies to no action of its rule would look like a limit and be none. */
function readScope(
  source: YamlReader,
  fields: AllowFields,
  key: 'branch_scope' | 'target_branch_scope',
  granted: readonly Action[],
  applicable: readonly Action[],
): BranchScope {
  const entry = fields.get(key);
  if (entry === undefined) return 'any';
  const scope = source.oneOf(entry.value ?? entry.key, key, branchScopes) ?? 'any';
  if (scope !== 'any' && !granted.some((action) => applicable.includes(action)))
    source.addError(entry.key, `"${key}" limits ${applicable.join(', ')}, which this rule does not allow.`);
  return scope;
}

function readNonEmpty(
  source: YamlReader,
  fields: AllowFields,
  key: 'graphs' | 'queries' | 'token_scopes',
): readonly string[] | undefined {
  const entry = fields.get(key);
  if (entry === undefined) return undefined;
  const names = readNames(source, entry.value ?? entry.key, key);
  if (names.length === 0)
    source.addError(
      entry.key,
      `"${key}" is empty; leave it out to mean ${key === 'token_scopes' ? 'any token' : 'every one'}.`,
    );
  return names;
}

function readNames(source: YamlReader, at: YamlValue, what: string): readonly string[] {
  if (at === undefined) return [];
  const names = source.texts(at, what);
  for (const name of names) {
    const problem = name === '' ? 'is empty' : textProblem(name);
    if (problem !== undefined) source.addError(at, `a name in ${what} ${problem}.`);
  }
  return names;
}

function checkIdentity(source: YamlReader, at: YamlValue, what: string, name: string): void {
  const problem = identityProblem(name);
  if (problem !== undefined) source.addError(at, `${what} ${problem}.`);
}
