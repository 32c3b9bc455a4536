import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Scalar } from '../../src/model/value-type.js';
import type { ComparisonOperator } from '../../src/store/row-query.js';
import { type Scratch, scratchStore, storeKinds } from '../helpers/stores.js';
import { block, compare, node, own, prop, query, scalar, value } from './build.js';
import { write } from './people.js';

const author = { actor: 'ann', tool: 'test' };
const main = { graph: 'default' };

describe.each(storeKinds)('the index on properties on $kind', (kind) => {
  let scratch: Scratch;
  beforeEach(async () => {
    scratch = await scratchStore(kind);
  });
  afterEach(() => scratch.dispose());

  const index = (property: string, type: Scalar, branch = 'main') =>
    scratch.store.write({ ...main, branch }, author, (writer) =>
      writer.indexProperties([{ type: 'Person', property, valueType: scalar(type) }]),
    );
  const people = (...ages: number[]) =>
    ages.map((age) => ({ type: 'Person', name: `p${age}`, props: { age, name: `n${age}` } }));
  const older = (age: number, operator: ComparisonOperator = '>') =>
    query(
      block([node('p', 'Person')], {
        conditions: [compare(prop('p.age', 'I32'), operator, value(age, 'I32'))],
      }),
      [own('p.id')],
    );
  const steps = async (asked = older(2)) =>
    (await scratch.store.read(main, (reader) => reader.explain(asked))).steps;
  const ids = async (asked = older(2), view: { branch?: string; commit?: string } = {}) =>
    (await scratch.store.read({ ...main, ...view }, (reader) => reader.query(asked))).rows.flat();

  test('is used once it is declared, and covers what was written before and after', async () => {
    await write(scratch.store, people(1, 2, 3));
    expect(await steps()).toEqual(['find $p (Person) among all nodes of its type']);
    await index('age', 'I32');
    expect(await steps()).toEqual(['find $p (Person) by the index on age']);
    await write(scratch.store, people(4));
    expect(await ids()).toEqual(['p3', 'p4']);
    expect(await ids(older(3, '>='))).toEqual(['p3', 'p4']);
    expect(await ids(older(3, '<'))).toEqual(['p1', 'p2']);
  });

  test('declaring one changes nothing that is seen, and makes no commit', async () => {
    await write(scratch.store, people(1));
    const { commit } = await index('age', 'I32');
    expect(commit).toBeNull();
  });

  test('finds the value a node has now, not the ones it had', async () => {
    await index('age', 'I32');
    await write(scratch.store, [{ type: 'Person', name: 'x', props: { age: 9 } }]);
    await write(scratch.store, [{ type: 'Person', name: 'x', props: { age: 1 } }]);
    expect(await ids()).toEqual([]);
    expect(await ids(older(0))).toEqual(['x']);
  });

  test('orders numbers as numbers, and negative ones below', async () => {
    await index('age', 'I32');
    await write(scratch.store, people(-10, -9, -1, 0, 9, 10));
    expect(await ids(older(-9, '<='))).toEqual(['p-10', 'p-9']);
    expect(await ids(older(9, '>='))).toEqual(['p10', 'p9']);
  });

  test('finds long and strange strings by their beginning', async () => {
    await index('age', 'I32');
    const long = 'x'.repeat(5_000);
    await index('title', 'String');
    const titled = (name: string, title: string) => ({ type: 'Person', name, props: { title } });
    await write(scratch.store, [titled('a', `${long}1`), titled('b', `${long}2`), titled('c', '\u{10FFFF}')]);
    const title = prop('p.title', 'String');
    const found = (operator: ComparisonOperator, text: string) =>
      ids(
        query(
          block([node('p', 'Person')], { conditions: [compare(title, operator, value(text, 'String'))] }),
          [own('p.id')],
        ),
      );
    expect(await found('>', `${long}1`)).toEqual(['b', 'c']);
    expect(await found('starts_with', long)).toEqual(['a', 'b']);
    expect(await found('starts_with', '\u{10FFFF}')).toEqual(['c']);
  });

  if (kind.kind === 'jsonl') return;

  test('a purge leaves nothing of a text in it', async () => {
    await index('name', 'String');
    await write(scratch.store, [{ type: 'Person', name: 'x', props: { name: 'my secret' } }]);
    await scratch.store.purge('default', { text: 'secret' });
    const named = (text: string) =>
      ids(
        query(
          block([node('p', 'Person')], {
            conditions: [compare(prop('p.name', 'String'), 'starts_with', value(text, 'String'))],
          }),
          [own('p.id')],
        ),
      );
    expect(await named('my s')).toEqual([]);
    expect(await named('my [purged]')).toEqual(['x']);
  });

  test('serves branches and old commits alike, whoever declared it', async () => {
    const past = await write(scratch.store, people(1, 5));
    await scratch.store.createBranch('default', 'other');
    await index('age', 'I32');
    await write(scratch.store, people(7), [], 'other');
    await write(scratch.store, [{ type: 'Person', name: 'p5', props: { age: 0 } }]);
    expect(await ids()).toEqual([]);
    expect(await ids(older(2), { branch: 'other' })).toEqual(['p5', 'p7']);
    expect(await ids(older(2), { commit: past })).toEqual(['p5']);
  });

  test('what is collected or deleted leaves no entries', async () => {
    await index('age', 'I32');
    for (const age of [1, 2, 3, 4])
      await write(scratch.store, [{ type: 'Person', name: 'x', props: { age } }]);
    await scratch.store.collect('default', { before: Date.now() + 1_000 });
    expect(await ids(older(0))).toEqual(['x']);
    await scratch.store.deleteGraph('default');
    await scratch.store.createGraph('default');
    expect(await ids(older(0))).toEqual([]);
  });
});
