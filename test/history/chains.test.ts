import { beforeEach, describe, expect, test } from 'vitest';
import { diffToJson } from '../../src/engine/history/diff-json.js';
import { diffRefs } from '../../src/engine/history/diff-states.js';
import { databaseKinds } from '../helpers/stores.js';
import { Repository } from './repository.js';

describe.each(databaseKinds)('chains of merges on $kind', (kind) => {
  const newRepository = Repository.forSuite(kind);
  let on: Repository;
  beforeEach(async () => {
    on = await newRepository();
    await on.create('main', 'a');
    await on.create('main', 'b');
    await on.relate('main', 'a knows b');
    await on.fork('try');
  });

  test('merging twice brings only what came since', async () => {
    await on.create('try', 'one');
    await on.merge('try');
    await on.create('try', 'two');
    const { changes, outcome } = await on.merge('try');
    expect(outcome).toBe('merged');
    expect((await diffToJson(changes)).nodes).toMatchObject([{ change: 'added', name: 'two' }]);
    expect(await on.brief()).toBe('a b one two | a knows b');
  });

  test('back and forth: both sides end alike, and nothing is brought twice', async () => {
    await on.create('try', 'one');
    await on.create('main', 'two');
    await on.merge('try');
    expect((await on.merge('main', 'try')).outcome).toBe('fast_forward');
    expect(await on.brief('try')).toBe(await on.brief());
    // The branch has a commit of its own now, if an empty one.
    expect((await on.merge('try')).outcome).toBe('fast_forward');
    await on.set('main', 'two', 'x', 1);
    await on.set('try', 'one', 'x', 1);
    await on.merge('main', 'try');
    await on.merge('try');
    expect(await on.brief()).toBe('a b one(x=1) two(x=1) | a knows b');
    expect(await on.brief('try')).toBe(await on.brief());
  });

  test.each(['source', 'target'] as const)(
    'a conflict that was decided for the %s does not come back, in either direction',
    async (take) => {
      await on.set('main', 'a', 'x', 'main');
      await on.set('try', 'a', 'x', 'try');
      await on.merge('try', 'main', { resolutions: [{ id: 'node/thing/a', property: 'props.x', take }] });
      const decided = `a(x="${take === 'source' ? 'try' : 'main'}") b`;
      await on.create('try', 'later');
      await on.merge('try');
      expect(await on.brief()).toBe(`${decided} later | a knows b`);
      await on.merge('main', 'try');
      expect(await on.brief('try')).toBe(`${decided} later | a knows b`);
      expect((await on.merge('try')).conflicts).toEqual([]);
    },
  );

  test('crosswise merges: the newest common commit is the base, and the sides agree in the end', async () => {
    await on.set('main', 'a', 'm', 1);
    await on.set('try', 'a', 't', 1);
    await on.fork('main before');
    await on.merge('try');
    await on.merge('main before', 'try');
    await on.set('try', 'a', 't', 2);
    await on.set('main', 'b', 'm', 2);
    await on.merge('try');
    await on.merge('main', 'try');
    expect(await on.brief()).toBe('a(m=1,t=2) b(m=2) | a knows b');
    expect(await on.brief('try')).toBe(await on.brief());
  });

  test('crosswise merges that decided differently show in the diff, although no commit since has changed anything', async () => {
    await on.set('main', 'a', 'x', 'main');
    await on.set('try', 'a', 'x', 'try');
    await on.unrelate('main', 'a knows b');
    await on.weigh('try', 'a knows b', 0.5);
    await on.fork('before');
    const keep = {
      resolutions: ['node/thing/a', 'edge/a/knows/b'].map((id) => ({ id, take: 'target' as const })),
    };
    await on.merge('try', 'main', keep);
    await on.merge('before', 'try', keep);
    const { nodes, edges } = await diffToJson(
      await diffRefs(on.store, { graph: on.graph, from: 'main', to: 'try' }),
    );
    expect(nodes).toMatchObject([{ name: 'a', properties: { 'props.x': { before: 'main', after: 'try' } } }]);
    expect(edges).toMatchObject([{ change: 'added', from: 'a', to: 'b', weight: 0.5 }]);
  });

  test('a branch of a branch goes home step by step, or straight', async () => {
    await on.create('try', 'one');
    await on.fork('deeper', 'try');
    await on.create('deeper', 'two');
    await on.remove('deeper', 'b');
    await on.fork('straight');
    await on.merge('deeper', 'try');
    await on.merge('try');
    await on.merge('deeper', 'straight');
    expect(await on.brief()).toBe('a one two | ');
    expect(await on.brief('straight')).toBe('a one two | ');
    expect((await on.merge('deeper')).outcome).toBe('already_up_to_date');
  });

  test('what was deleted and made again is the same thing', async () => {
    await on.remove('try', 'b');
    await on.create('try', 'b', ['again']);
    await on.relate('try', 'a knows b');
    await on.merge('try');
    expect(await on.brief()).toBe('a b[again] | a knows b');
    await on.remove('main', 'b');
    await on.merge('main', 'try');
    expect(await on.brief('try')).toBe('a | ');
    await on.create('try', 'b', ['once more']);
    await on.merge('try');
    expect(await on.brief()).toBe('a b[once more] | ');
  });

  test('a fast-forward leaves branches that were forked from either side alone', async () => {
    await on.create('try', 'one');
    await on.fork('child of try', 'try');
    await on.fork('child of main');
    await on.create('try', 'two');
    expect((await on.merge('try')).outcome).toBe('fast_forward');
    expect(await on.brief('child of try')).toBe('a b one | a knows b');
    expect(await on.brief('child of main')).toBe('a b | a knows b');
    await on.create('child of try', 'three');
    await on.merge('child of try');
    expect(await on.brief()).toBe('a b one three two | a knows b');
    await on.merge('main', 'child of main');
    expect(await on.brief('child of main')).toBe(await on.brief());
  });

  test('a branch that was merged and deleted leaves what it brought, and its name', async () => {
    await on.create('try', 'one');
    await on.merge('try');
    await on.store.deleteBranch(on.graph, 'try');
    await on.fork('try');
    await on.create('try', 'two');
    await on.merge('try');
    expect(await on.brief()).toBe('a b one two | a knows b');
  });

  test('merging a branch into itself, or an empty graph, changes nothing', async () => {
    expect((await on.merge('main', 'main')).outcome).toBe('already_up_to_date');
    const empty = await newRepository();
    await empty.fork('try');
    expect((await empty.merge('try')).outcome).toBe('already_up_to_date');
    await empty.create('try', 'a');
    expect((await empty.merge('try')).outcome).toBe('fast_forward');
    expect(await empty.brief()).toBe('a | ');
  });

  test('what a merge brings goes to the end, so that whoever pages through the graph meets it', async () => {
    await on.create('try', 'early');
    await on.create('main', 'late');
    await on.merge('try');
    const names = await on.store.read({ graph: on.graph }, async (reader) =>
      (await reader.nodes()).map(({ name }) => name),
    );
    expect(names).toEqual(['a', 'b', 'late', 'early']);
  });

  test('a merge races with a write to its target, and neither is lost', async () => {
    await on.create('try', 'one');
    const [merged] = await Promise.all([
      on.merge('try'),
      ...Array.from({ length: 8 }, (_, index) => on.create('main', `w${index}`)),
    ]);
    expect(merged.outcome).toMatch(/fast_forward|merged/);
    expect(await on.brief()).toBe('a b one w0 w1 w2 w3 w4 w5 w6 w7 | a knows b');
  });

  test('the same merge asked for twice at once is made once', async () => {
    await on.create('try', 'one');
    const outcomes = (await Promise.all([on.merge('try'), on.merge('try')])).map(({ outcome }) => outcome);
    expect(outcomes.sort()).toEqual(['already_up_to_date', 'fast_forward']);
  });
});
