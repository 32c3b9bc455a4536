import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { root } from './pages.js';

const packageShape = z.object({
  engines: z.object({ node: z.string() }),
  scripts: z.record(z.string(), z.string()),
});
const { engines, scripts } = packageShape.parse(JSON.parse(text('package.json')));

const stepShape = z.strictObject({
  name: z.string().optional(),
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
  env: z.record(z.string(), z.string()).optional(),
});
const jobShape = z.object({
  'runs-on': z.string(),
  'timeout-minutes': z.number(),
  strategy: z.object({ matrix: z.record(z.string(), z.array(z.unknown())) }).optional(),
  steps: z.array(stepShape).nonempty(),
});
const workflowShape = z.object({
  name: z.string(),
  on: z.record(z.string(), z.unknown()),
  permissions: z.object({ contents: z.literal('read') }),
  jobs: z.record(z.string(), jobShape),
});
const formShape = z.object({
  name: z.string(),
  description: z.string(),
  body: z.array(z.object({ type: z.string(), id: z.string().optional() })).nonempty(),
});

const workflows = readdirSync(join(root, '.github/workflows')).map((name) => ({
  name,
  jobs: Object.values(workflowShape.parse(parse(text(`.github/workflows/${name}`))).jobs),
}));

function text(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

describe.each(workflows)('the workflow $name', ({ jobs }) => {
  const steps = jobs.flatMap((job) => job.steps);
  const commands = steps.flatMap(({ run = '' }) => run.split('\n').map((line) => line.trim()));

  test('runs only scripts that package.json has', () => {
    const named = commands.flatMap((line) => /^npm (?:run (\S+)|(test))/.exec(line)?.slice(1) ?? []);
    expect(named.filter((name) => name !== undefined && !(name in scripts))).toEqual([]);
  });

  test('runs only files that exist', () => {
    const files = commands.flatMap(
      (line) => /^(?:node )?((?:scripts|bench|test)\/\S+)/.exec(line)?.[1] ?? [],
    );
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  test('uses actions by their major version, and installs with npm ci', () => {
    const used = steps.flatMap(({ uses }) => uses ?? []);
    expect(used.filter((action) => !/^[\w-]+\/[\w-]+@v\d+$/.test(action))).toEqual([]);
    for (const job of jobs) expect(job.steps.map(({ run }) => run)).toContain('npm ci');
  });
});

test('the tests run on three systems, and on the oldest Node that is supported and those after it', () => {
  const matrices = workflows.flatMap(({ jobs }) => jobs.map(({ strategy }) => strategy?.matrix));
  expect(matrices).toContainEqual({
    os: ['ubuntu-latest', 'macos-latest', 'windows-latest'],
    node: [20, 22, 24],
  });
  expect(engines.node).toBe('>=20.19');
});

describe.each(['bug.yml', 'feature.yml'])('the issue form %s', (name) => {
  const form = formShape.parse(parse(text(`.github/ISSUE_TEMPLATE/${name}`)));

  test('has fields of known types, with ids that occur once', () => {
    const types = ['markdown', 'textarea', 'input', 'dropdown', 'checkboxes'];
    expect(form.body.filter(({ type }) => !types.includes(type))).toEqual([]);
    const ids = form.body.filter(({ type }) => type !== 'markdown').map(({ id }) => id);
    expect(ids).not.toContain(undefined);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

test('dependencies and actions are updated', () => {
  const { version, updates } = parse(text('.github/dependabot.yml'));
  expect(version).toBe(2);
  expect(updates).toMatchObject([{ 'package-ecosystem': 'npm' }, { 'package-ecosystem': 'github-actions' }]);
});
