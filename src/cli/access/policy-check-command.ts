import { type PolicyCaseResult, parseCases, runCases } from '../../access/policy/policy-cases.js';
import { unknownMentions } from '../../access/policy/policy-mentions.js';
import { readPolicy } from '../../access/policy/read-policy.js';
import { resolvePath } from '../../config/paths.js';
import { loadSettings } from '../../config/settings.js';
import { readTextFile } from '../../file/read-text-file.js';
import type { CommonOptions } from '../command-options.js';
import { pluralize, print } from '../print.js';
import { existingNames } from './existing-names.js';
import { resolvePolicyFile } from './resolve-policy-file.js';

interface CheckOptions extends CommonOptions {
  readonly cases?: string;
}

export async function checkPolicy(given: string | undefined, options: CheckOptions): Promise<void> {
  const { file: path, protectedBranches } = await resolvePolicyFile(given, options);
  const policy = await readPolicy(await readTextFile(path), path, { protectedBranches });
  const settings = await loadSettings(options);
  // Without a configuration there is nothing to compare the names with.
  const warnings =
    settings.config.value === undefined
      ? []
      : unknownMentions(policy.mentions, await existingNames(settings));
  const casesPath = options.cases === undefined ? undefined : resolvePath(options.cases);
  const outcomes =
    casesPath === undefined ? [] : runCases(policy, parseCases(await readTextFile(casesPath), casesPath));
  const failed = outcomes.filter(({ asExpected }) => !asExpected);
  if (options.json) {
    print({
      ...{ policy: path, rules: policy.ruleNames, warnings },
      ...{ cases: outcomes.map(forPrograms), failed: failed.length },
    });
  } else {
    print(`${path} can be used: ${pluralize(policy.ruleNames.length, 'rule')}.`);
    for (const warning of warnings) print(`warning: ${warning}`);
    for (const outcome of outcomes) print(`  ${forPeople(outcome)}`);
    if (casesPath !== undefined)
      print(`${pluralize(outcomes.length, 'case')}, ${failed.length} not as expected.`);
  }
  if (failed.length > 0) process.exitCode = 1;
}

function forPeople({ line, actor, request, decision, asExpected }: PolicyCaseResult): string {
  const { action, graph, branch, query } = request;
  const summary = `${actor.id} ${action}${query === undefined ? '' : ` ${query}`} on ${graph}, ${branch}`;
  const decided = `${decision.allowed ? 'allow' : 'deny'} (${decision.rule ?? 'no rule'})`;
  return `${asExpected ? 'ok   ' : 'WRONG'} line ${line}: ${summary}: ${decided}`;
}

function forPrograms({ line, actor, request, decision, expected, asExpected }: PolicyCaseResult): object {
  const words = (allowed: boolean) => (allowed ? 'allow' : 'deny');
  return {
    line,
    actor: actor.id,
    ...request,
    expect: words(expected),
    decision: words(decision.allowed),
    rule: decision.rule,
    ok: asExpected,
  };
}
