import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Has V8 optimise a function of Cedar's and discard its code while it runs, as happens by itself under load. */
const discardDuringCall = `
const { isAuthorized } = cedar;
const request = () => ({
  principal: { type: 'Actor', id: 'ann' },
  action: { type: 'Action', id: 'read' },
  resource: { type: 'Graph', id: 'work' },
  context: {},
  policies: { staticPolicies: 'permit(principal, action, resource);' },
  entities: [],
});
%PrepareFunctionForOptimization(isAuthorized);
for (let i = 0; i < 3; i += 1) isAuthorized(request());
%OptimizeFunctionOnNextCall(isAuthorized);
isAuthorized(request());
let discarded = false;
const answer = isAuthorized({
  ...request(),
  get context() {
    discarded = true;
    %DeoptimizeFunction(isAuthorized);
    return {};
  },
});
console.log(discarded, answer.response.decision);
`;

function run(load: string) {
  return spawnSync(
    process.execPath,
    ['--allow-natives-syntax', '--input-type=module', '-e', load + discardDuringCall],
    { cwd: root, encoding: 'utf8' },
  );
}

describe('trust 30: optimised code that calls Cedar is discarded during the call', () => {
  test('and the process lives, as Trellis loads Cedar', () => {
    const { stdout, stderr, signal } = run(
      `import { loadCedar } from './dist/access/policy/cedar.js'; const cedar = await loadCedar();`,
    );
    expect({ stdout, stderr, signal }).toEqual({ stdout: 'true allow\n', stderr: '', signal: null });
  });

  test.runIf(Number.parseInt(process.versions.v8, 10) < 13)(
    'which ends the process if Cedar is loaded just so, on this V8',
    () => {
      const { stderr, signal } = run(`import cedar from '@cedar-policy/cedar-wasm/nodejs';`);
      expect(signal).not.toBeNull();
      expect(stderr).toContain('Deoptimizer::DoComputeBuiltinContinuation');
    },
  );
});
