import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { databaseKinds } from '../helpers/stores.js';
import { Kitchen } from './kitchen.js';

describe.each(databaseKinds)('a stored mutation with if_commit on $kind', (kind) => {
  let kitchen: Kitchen;
  beforeEach(async () => {
    kitchen = await Kitchen.open(kind);
  });
  afterEach(() => kitchen.close());

  const rest = (path: string, body: object) => kitchen.rest(undefined, 'POST', path, body);

  test('runs on the commit it names, as a tool and over REST, and on no other', async () => {
    const tools = await kitchen.as();
    const head = (await tools.ok('snapshot'))['commit_id'];
    const made = await tools.ok('add_recipe', { slug: 'pie', if_commit: head });
    expect(made).toMatchObject({ commit: { parent_commit_id: head }, graph_commit_id: made['commit_id'] });
    const [text] = await tools.error('add_recipe', { slug: 'stew', if_commit: head });
    expect(text).toContain(`is at ${made['commit_id']}`);
    const stew = { params: { slug: 'stew' } };
    expect(await rest('queries/add_recipe', { ...stew, if_commit: head })).toMatchObject({
      ...{ status: 412, body: { error: { code: 'HEAD_MOVED', head: made['commit_id'] } } },
    });
    expect(await rest('queries/add_recipe/if-graph-commit', stew)).toMatchObject({ status: 400 });
    expect(await rest('queries/add_recipe', { ...stew, if_commit: made['commit_id'] })).toMatchObject({
      ...{ status: 200, body: { commit: { parent_commit_id: made['commit_id'] } } },
    });
  });

  test('a query that reads takes no condition, and expect_mutation is held to', async () => {
    const quick = { params: { most: 30 } };
    expect(await rest('queries/quick', { ...quick, if_commit: 'x' })).toMatchObject({
      ...{ status: 400, body: { error: { message: 'quick only reads, so it cannot depend on if_commit.' } } },
    });
    expect(await rest('queries/quick', { ...quick, expect_mutation: true })).toMatchObject({
      ...{ status: 400, body: { error: { message: 'quick only reads.' } } },
    });
    expect(await rest('queries/quick', { ...quick, expect_mutation: false })).toMatchObject({ status: 200 });
    const pie = { params: { slug: 'pie' } };
    expect(await rest('queries/add_recipe', { ...pie, expect_mutation: false })).toMatchObject({
      ...{ status: 400, body: { error: { message: 'add_recipe writes.' } } },
    });
    expect(await rest('queries/add_recipe', { ...pie, expect_mutation: true })).toMatchObject({
      status: 200,
    });
  });
});
