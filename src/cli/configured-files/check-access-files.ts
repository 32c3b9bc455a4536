import { checkOidcSettings } from '../../access/oidc/oidc-settings.js';
import { type AccessSettings, hasPolicy, noPolicyWarning } from '../../access/open-access-control.js';
import { unknownMentions } from '../../access/policy/policy-mentions.js';
import { readPolicy } from '../../access/policy/read-policy.js';
import type { PolicyFile } from '../../access/policy/server-policies.js';
import { readTokens } from '../../access/tokens/token-authenticator.js';
import type { Settings } from '../../config/settings.js';
import { isReachable } from '../../file/path-exists.js';
import { readTextFile } from '../../file/read-text-file.js';
import { existingNames } from '../access/existing-names.js';
import type { FileFindings } from './check-configured-files.js';
import { readProblems } from './read-problems.js';

export async function checkAccessFiles(settings: Settings): Promise<FileFindings> {
  const { access } = settings.server;
  if (access === undefined) return { problems: [], warnings: [] };
  const problems = [...(await identityProblems(access))];
  const policies = [access.policy?.server, ...(access.policy?.graphs?.values() ?? [])].filter(
    (file) => file !== undefined,
  );
  const warnings = hasPolicy(access) ? [] : [noPolicyWarning];
  const names = await existingNames(settings);
  for (const policy of new Map(policies.map((file) => [file.file, file])).values()) {
    // Missing files are reported with the other paths.
    if (!(await isReachable(policy.file))) continue;
    problems.push(
      ...(await readProblems(async () => {
        const { mentions } = await readAndRelease(policy);
        warnings.push(...unknownMentions(mentions, names).map((problem) => `${policy.file}: ${problem}`));
      })),
    );
  }
  return { problems, warnings };
}

async function identityProblems({ tokens, oidc }: AccessSettings): Promise<readonly string[]> {
  const isMissing = tokens !== undefined && 'file' in tokens && !(await isReachable(tokens.file));
  return [
    ...(tokens === undefined || isMissing ? [] : await readProblems(() => readTokens(tokens))),
    ...(oidc === undefined ? [] : await readProblems(async () => checkOidcSettings(oidc))),
  ];
}

async function readAndRelease({ file, protectedBranches }: PolicyFile) {
  const policy = await readPolicy(await readTextFile(file), file, { protectedBranches });
  policy.release();
  return policy;
}
