import { rm, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { openAccessControl } from '../../src/access/open-access-control.js';
import { ServerPolicies } from '../../src/access/policy/server-policies.js';
import { actor } from './policies.js';
import { collectWarnings, useFolder } from './scratch.js';

const path = useFolder();
const ann = actor('ann');
const allowing = (...actions: string[]) =>
  `version: 1\nrules: [{ id: ${actions.join('-')}, allow: { actors: any, actions: [${actions.join(', ')}] } }]\n`;

describe('policies in force', () => {
  test('follow their file, also through what was asked before', async () => {
    await writeFile(path('p.yaml'), allowing('read'));
    const policies = await ServerPolicies.open(
      { server: { file: path('p.yaml') } },
      { ...collectWarnings(), everyMs: 0 },
    );
    const may = policies.may(ann, 'g', 'main');
    expect([may([{ action: 'read' }]), may([{ action: 'change' }])]).toEqual([true, false]);
    await writeFile(path('p.yaml'), allowing('change'));
    await policies.refresh();
    expect([may([{ action: 'read' }]), may([{ action: 'change' }])]).toEqual([false, true]);
  });

  test.each([
    ['broken', (file: string) => writeFile(file, 'version: 1\nrules: [{}]\n')],
    ['gone', (file: string) => rm(file)],
  ])('stay when their file is %s, with one warning', async (_, spoil) => {
    await writeFile(path('p.yaml'), allowing('read'));
    const { warn, said } = collectWarnings();
    const policies = await ServerPolicies.open({ server: { file: path('p.yaml') } }, { warn, everyMs: 0 });
    await spoil(path('p.yaml'));
    for (let i = 0; i < 3; i += 1) {
      await policies.refresh();
      expect(policies.decide(ann, { action: 'read', graph: 'g', branch: 'main' }).allowed).toBe(true);
    }
    expect(said).toHaveLength(1);
    await writeFile(path('p.yaml'), allowing('change'));
    await policies.refresh();
    expect(policies.decide(ann, { action: 'read', graph: 'g', branch: 'main' }).allowed).toBe(false);
  });

  test('of a graph take the place of the server’s, on that graph alone', async () => {
    await writeFile(path('server.yaml'), allowing('read'));
    await writeFile(
      path('work.cedar'),
      '@id("own") permit(principal, action == Action::"change", resource);',
    );
    const policies = await ServerPolicies.open(
      { server: { file: path('server.yaml') }, graphs: new Map([['work', { file: path('work.cedar') }]]) },
      collectWarnings(),
    );
    const ask = (graph: string, action: 'read' | 'change') =>
      policies.decide(ann, { action, graph, branch: 'main' });
    expect(ask('work', 'change')).toEqual({ allowed: true, rule: 'own' });
    expect(ask('work', 'read').allowed).toBe(false);
    expect(ask('home', 'read').allowed).toBe(true);
    expect(ask('home', 'change').allowed).toBe(false);
    expect(ask('__proto__', 'read').allowed).toBe(true);
  });

  test('that change often and many at once are never mixed up', async () => {
    const files = Array.from({ length: 4 }, (_, i) => path(`p${i}.yaml`));
    const graphs = new Map(files.map((file, i) => [`g${i}`, { file }]));
    await Promise.all(files.map((file) => writeFile(file, allowing('read'))));
    const policies = await ServerPolicies.open({ graphs }, { ...collectWarnings(), everyMs: 0 });
    for (let round = 0; round < 20; round += 1) {
      const wanted = files.map((_, i) => (round + i) % 2 === 0);
      await Promise.all(files.map((file, i) => writeFile(file, allowing(wanted[i] ? 'read' : 'change'))));
      await policies.refresh();
      const found = files.map(
        (_, i) => policies.decide(ann, { action: 'read', graph: `g${i}`, branch: 'b' }).allowed,
      );
      expect(found).toEqual(wanted);
    }
  });

  test('are none without a file: everything is denied', async () => {
    const policies = await ServerPolicies.open({}, collectWarnings());
    expect(policies.decide(ann, { action: 'read', graph: 'g', branch: 'main' })).toEqual({ allowed: false });
    expect(policies.hasAnyGrant(ann, 'g')).toBe(false);
  });

  test('that are broken from the start are an error', async () => {
    await writeFile(path('p.yaml'), 'version: 3\n');
    await expect(
      ServerPolicies.open({ server: { file: path('p.yaml') } }, collectWarnings()),
    ).rejects.toMatchObject({
      code: 'POLICY_INVALID',
    });
    await expect(
      ServerPolicies.open({ server: { file: path('none') } }, collectWarnings()),
    ).rejects.toMatchObject({
      message: expect.stringContaining('Cannot read'),
    });
  });
});

test('what a server needs is opened in one call', async () => {
  await writeFile(path('tokens.json'), '{"ann":"a-token-that-is-long-enough"}', { mode: 0o600 });
  await writeFile(path('p.yaml'), allowing('read'));
  const access = await openAccessControl(
    { tokens: { file: path('tokens.json') }, policy: { server: { file: path('p.yaml') } } },
    collectWarnings(),
  );
  const who = await access.authenticate({
    headers: new Headers({ Authorization: 'Bearer a-token-that-is-long-enough' }),
    url: 'http://localhost/mcp',
  });
  expect(access.may(who, 'g', 'main')([{ action: 'read' }])).toBe(true);
  expect(access.canSee(who, 'g')).toBe(true);
  expect(access.issuers).toEqual([]);
  await expect(openAccessControl({}, collectWarnings())).rejects.toMatchObject({ code: 'USAGE' });
});
