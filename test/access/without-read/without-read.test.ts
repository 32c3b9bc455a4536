import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Action, actions } from '../../../src/access/permission.js';
import { visibleTools } from '../../../src/surfaces/surface-registry.js';
import { databaseKinds } from '../../helpers/stores.js';
import { type ConcealedCall, calls } from './calls.js';
import { Graphs, mayOf, secret } from './graphs.js';

const everyBranch = ['main', 'draft', 'other', 'confidential child'];

/** A stored query shows what whoever stored it has chosen. */
const harmless = ['confidential_pay'];

describe.each(databaseKinds)('trust 34: without the right to read, on $kind', (kind) => {
  let concealed: Graphs;
  let shown: Graphs;
  beforeAll(async () => {
    [concealed, shown] = await Promise.all([Graphs.open(kind), Graphs.open(kind)]);
  });
  afterAll(async () => {
    await Promise.all([concealed?.dispose(), shown?.dispose()]);
  });

  const answer = (
    graphs: Graphs,
    { surface, graph, tool, args, rights }: ConcealedCall,
    readable: readonly string[],
  ) => graphs.answer(surface, graph, tool, args, mayOf(rights, readable));

  test.each(calls.map((call, index) => [`${call.surface} ${call.tool} (${index})`, call] as const))(
    '%s answers nothing that it was not given',
    async (_, call) => {
      const told = await answer(concealed, call, call.readable ?? []);
      expect(told).not.toMatch(/UNKNOWN_TOOL|Invalid arguments|unknown tool/);
      expect(told.replaceAll(/Margaret Confidentia\b/g, '')).not.toMatch(secret);
      // The same call tells whoever may read, so the one above has something to conceal.
      const all = (await answer(shown, call, everyBranch)).replaceAll(/Margaret Confidentia\b/g, '');
      if (call.tells === true) expect([call.tool, all]).toEqual([call.tool, expect.stringMatching(secret)]);
    },
  );

  test('a schema that breaks stored queries names those that the caller may invoke', async () => {
    const args = { schema: 'node Other { a: String @key }', dry_run: true };
    const ask = (rights: readonly Action[]) =>
      concealed.answer('graph', 'typed', 'schema_apply', args, mayOf(rights, []));
    const told = await ask(['schema_apply']);
    expect(told).toContain('2 stored queries that you may not invoke would no longer work.');
    expect(told).not.toMatch(/hire|confidential/);
    const named = await ask(['schema_apply', 'invoke_query']);
    expect(named).toMatch(/The stored query confidential_pay would no longer work: .* And 1 more\./);
  });

  test('what a write counts is told to whoever may read', async () => {
    const args = { source: 'query q() { update Person set { floor: 3 } where salary > 100000 }' };
    const ask = async (readable: readonly string[]) =>
      JSON.parse(await shown.answer('graph', 'typed', 'mutate', args, mayOf(['change'], readable)));
    expect((await ask(everyBranch)).structuredContent).toMatchObject({ affected_nodes: 0, commit_id: null });
    expect((await ask([])).structuredContent).not.toHaveProperty('affected_nodes');
  });

  test('a write with a condition does not tell whether some row meets it', async () => {
    const ask = async (condition: string) => {
      const source = `query q() { update Person set { floor: 4 } where ${condition} }`;
      const answer = await shown.answer('graph', 'typed', 'mutate', { source }, mayOf(['change'], []));
      return JSON.parse(answer).structuredContent;
    };
    expect(await ask('salary > 100000')).toEqual(await ask('salary < 100000'));
  });

  test('every tool that can be used without it is among these', async () => {
    const covered = new Set([...calls.map(({ surface, tool }) => `${surface} ${tool}`)]);
    const rights = actions.filter((action) => action !== 'read' && action !== 'graph_list');
    for (const [surface, graph] of [
      ['memory', 'default'],
      ['mesh', 'default'],
      ['workspace', 'default'],
      ['graph', 'typed'],
      ['gate', 'gated'],
    ] as const) {
      const context = await concealed.context(surface, graph, mayOf(rights, []));
      const usable = visibleTools(context).map(({ name }) => name);
      expect(usable.length).toBeGreaterThan(0);
      const open = usable.filter((name) => !harmless.includes(name) && !covered.has(`${surface} ${name}`));
      expect([surface, open.filter((name) => !isOfType(name))]).toEqual([surface, []]);
    }
  });
});

/** The tools of one type stand for those of all. */
function isOfType(name: string): boolean {
  return /^(add|update|delete)_(npc|location|quest)$/.test(name);
}
