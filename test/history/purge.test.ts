import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { purgeText } from '../../src/engine/history/purge-text.js';
import { createNodesLenient } from '../../src/engine/write/create-nodes-lenient.js';
import { databaseKinds } from '../helpers/stores.js';
import { author, Repository } from './repository.js';

const secret = 'hunter2-"§\\';

describe.each(databaseKinds)('purge on $kind', (kind) => {
  let on: Repository;
  beforeEach(async () => {
    on = await Repository.on(kind);
  });
  afterEach(() => on.dispose());

  const purging = (text = secret, dryRun = false) =>
    purgeText(on.store, { graph: on.graph, text, author: { ...author, tool: 'purge' }, dryRun });
  const found = async (needle: string) =>
    on.store.read({ graph: on.graph }, async (reader) => {
      const { nodes } = await reader.nodesContaining(needle.toLowerCase());
      return (await reader.nodesById(nodes)).map(({ name }) => name);
    });

  test('a text is gone from messages and clients, and the message of the purge cannot bring it back', async () => {
    const graph = { graph: on.graph };
    await on.write('main', (tx) => createNodesLenient(tx, [{ name: 'ann', type: 't', observations: [] }]), {
      ...author,
      ...{ client: `tool of ${secret}/1`, message: `${secret} is the password` },
    });
    expect(await purging()).toMatchObject({ commits: 1, left: [] });
    const [, commit] = await on.store.commits(graph);
    expect(commit).toMatchObject({ client: 'tool of [purged]/1', message: '[purged] is the password' });
    const told = purgeText(on.store, { ...graph, text: 'ann', author: { ...author, message: 'ann goes' } });
    await expect(told).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  test('a text is gone from every version, branch, name and property, and so from search; the rest stays', async () => {
    await on.create('main', 'ann', [`the password is ${secret}.`, 'likes tea']);
    const first = await on.head();
    await on.set('main', 'ann', 'login', { password: secret, [`${secret} key`]: [1, secret] });
    await on.change('main', 'ann', () => ({ summary: `knows ${secret}`, tags: [secret, 'tagged'] }));
    await on.create('main', `safe of ${secret}`);
    await on.relate('main', `ann owns ${secret.split(' ').join('')}`);
    await on.fork('try');
    await on.replaceObservation('main', 'ann', 1, undefined);
    await on.observe('try', 'ann', `again: ${secret}`);
    // Time for the text index.
    await new Promise((resolve) => setTimeout(resolve, 200));
    const counted = await purging(secret, true);
    expect(await on.brief('try')).toContain('hunter2');
    const report = await purging();
    expect(report).toEqual(counted);
    expect(report).toMatchObject({ names: 2, observations: 2, left: [] });
    expect(await purging(secret, true)).toEqual({
      ...{ names: 0, nodes: 0, observations: 0, edges: 0, rejections: 0, commits: 0, schemas: 0 },
      left: [],
    });
    for (const ref of [{ branch: 'main' }, { branch: 'try' }, { commit: first }]) {
      expect(JSON.stringify(await on.look(ref))).not.toContain('hunter2');
    }
    expect((await on.look({ commit: first })).nodes[0]?.observations[0]?.text).toBe(
      'the password is [purged].',
    );
    const { nodes } = await on.look();
    const ann = nodes.find(({ name }) => name === 'ann');
    expect(ann).toMatchObject({ summary: 'knows [purged]', tags: ['[purged]', 'tagged'] });
    expect(ann?.props).toEqual({ login: { password: '[purged]', '[purged] key': [1, '[purged]'] } });
    expect(await found('hunter2')).toEqual([]);
    expect(await found('likes tea')).toEqual(['ann']);
    expect((await found('[purged]')).sort()).toEqual(['ann', 'safe of [purged]']);
    expect(await on.store.check()).toEqual([]);
    const [last] = await on.store.commits({ graph: on.graph }, { limit: 1 });
    expect(last).toMatchObject({ tool: 'purge', actor: 'ann' });
  });

  test('nobody can look up a purged property or name by guessing it, and the others are still found', async () => {
    const matching = (props: Record<string, string | number>) =>
      on.store.read({ graph: on.graph }, async (reader) =>
        (await reader.nodesMatching('thing', props)).map(({ name }) => name),
      );
    const entries = async () => {
      const spelt = (name: string) =>
        on.store.read({ graph: on.graph }, async (reader) =>
          (await reader.nodesSpeltLike('thing', name, 10)).map((node) => node.name),
        );
      return [await spelt('account secret-one'), await spelt('account [purged]')];
    };
    await on.create('main', 'account secret-one');
    await on.change('main', 'account secret-one', () => ({
      props: { pin: 'secret-one', card: 411100001111, id: 7 },
    }));
    expect(await entries()).toEqual([['account secret-one'], []]);
    await purging('secret-one');
    await purging('41110000');
    expect(await entries()).toEqual([[], ['account [purged]']]);
    expect(await matching({ pin: 'secret-one' })).toEqual([]);
    expect(await matching({ pin: '[purged]' })).toEqual(['account [purged]']);
    expect(await matching({ id: 7 })).toEqual(['account [purged]']);
    const [node] = (await on.look()).nodes;
    expect(node?.props).toEqual({ pin: '[purged]', card: '[purged]', id: 7 });
  });

  test('a write that was not let in no longer says what it was called with', async () => {
    await on.store.keepRejection(on.graph, {
      ...{ code: 'SCHEMA_TYPE_MISMATCH', tool: 'write_node', actor: 'ann', time: 1 },
      ...{ message: `Not ${secret}.`, arguments: { password: secret, age: 3 }, details: [secret] },
    });
    expect(await purging(secret, true)).toMatchObject({ rejections: 1 });
    expect(await purging()).toMatchObject({ rejections: 1 });
    expect(await on.store.rejections(on.graph)).toMatchObject([
      { message: 'Not [purged].', arguments: { password: '[purged]', age: 3 }, details: ['[purged]'] },
    ]);
  });

  test('two names that only the text told apart stay two', async () => {
    await on.create('main', 'key secret-one');
    await on.create('main', 'key [purged]');
    await purging('secret-one');
    expect((await on.look()).nodes.map(({ name }) => name)).toEqual([
      expect.stringMatching(/^key \[purged\] \d+$/),
      'key [purged]',
    ]);
  });

  test('a text is gone from what edges say, and from where things came from', async () => {
    const provenance = { source: 'a letter with secret-one' };
    await on.create('main', 'a', ['fact']);
    await on.change('main', 'a', () => ({ provenance }));
    await on.relate('main', 'a knows b');
    await on.write('main', async ({ rows }) => {
      const props = { note: 'secret-one', others: ['kept'] };
      await rows.putEdges((await rows.edges()).map((edge) => ({ ...edge, props, provenance })));
      const [fact] = await rows.observationsOf((await rows.nodes()).map(({ id }) => id));
      if (fact !== undefined) await rows.putObservations([{ ...fact, provenance }]);
    });
    expect(await purging('secret-one')).toMatchObject({ nodes: 1, observations: 1, edges: 1, left: [] });
    const rows = await on.store.read({ graph: on.graph }, async (reader) => {
      const nodes = await reader.nodes();
      const observations = await reader.observationsOf(nodes.map(({ id }) => id));
      return [...nodes, ...observations, ...(await reader.edges())];
    });
    const purged = { source: 'a letter with [purged]' };
    expect(rows.map((row) => row.provenance)).toEqual([purged, purged, purged]);
    expect(rows[2]).toMatchObject({ props: { note: '[purged]', others: ['kept'] } });
  });

  test('a number that says the text is gone, too', async () => {
    await on.create('main', 'a');
    await on.set('main', 'a', 'card', { number: 4_111_222_233, other: 17 });
    await purging('1112222');
    expect((await on.look()).nodes[0]?.props).toEqual({ card: { number: '[purged]', other: 17 } });
  });

  test('other graphs keep what they say', async () => {
    const other = await on.another();
    for (const one of [on, other]) {
      await one.create('main', 'secret-one', ['about secret-one']);
      await one.set('main', 'secret-one', 'note', 'secret-one');
    }
    const before = await other.look();
    await purging('secret-one');
    expect(JSON.stringify(await on.look())).not.toContain('secret-one');
    expect(await other.look()).toEqual(before);
  });

  test('where it cannot be taken out, that is said', async () => {
    await on.create('main', 'a', [], 'type secret-one');
    await on.relate('main', 'a secret-one b', 'a secret-one c');
    await on.write('main', async ({ rows }) => {
      const [edge] = await rows.edges();
      if (edge !== undefined) await rows.putEdges([{ ...edge, type: 'knows', key: 'secret-one' }]);
    });
    await on.fork('try secret-one');
    const commit = (actor: string, tool: string) =>
      on.write('main', (tx) => createNodesLenient(tx, [{ name: tool, type: 'thing', observations: [] }]), {
        actor,
        tool,
      });
    await commit('secret-one', 'test');
    await commit('ann', 'tool-secret-one');
    expect((await purging('secret-one')).left).toEqual([
      'types of nodes: 1',
      'types or keys of edges: 3',
      'actors or tools of commits: 2',
      'names of branches: 1',
    ]);
  });

  test('a text so short that it would hit anything is refused', async () => {
    await expect(purging('abc')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(purging('')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(await on.store.commits({ graph: on.graph })).toEqual([]);
  });

  test.runIf(kind.kind === 'sqlite')('the file holds no trace of it', async () => {
    await on.create('main', 'ann', ['password xyzzy-plugh-7', 'another']);
    await on.replaceObservation('main', 'ann', 1, 'something else');
    await new Promise((resolve) => setTimeout(resolve, 200));
    await purging('xyzzy-plugh-7');
    await on.store.close();
    const bytes = await readFile(on.path);
    expect(bytes.includes('xyzzy')).toBe(false);
    expect(bytes.includes('plu')).toBe(false);
    expect(bytes.includes('something else')).toBe(true);
  });
});
