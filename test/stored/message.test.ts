import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds, scratchFolder } from '../helpers/stores.js';
import { Kitchen, menu, storeQueries } from './kitchen.js';

describe.each(databaseKinds)('the message of a stored mutation on $kind', (kind) => {
  let kitchen: Kitchen;
  beforeAll(async () => {
    const queries = await storeQueries(await scratchFolder(), menu);
    kitchen = await Kitchen.open(kind, { graphs: { work: { queries, storedQueryTools: 'pair' } } });
  });
  afterAll(() => kitchen.close());

  const messageOf = async (commit: unknown) =>
    (await kitchen.rest(undefined, 'GET', `commits/${commit}`)).body['message'];

  test('is stored with its commit, over REST and MCP', async () => {
    const { body } = await kitchen.rest(undefined, 'POST', 'queries/add_recipe', {
      ...{ params: { slug: 'pie' }, message: 'for Sunday' },
    });
    expect(await messageOf(body['commit_id'])).toBe('for Sunday');
    const made = await (await kitchen.as()).ok('stored_query_run', {
      ...{ name: 'add_recipe', params: { slug: 'stew' }, message: 'for Monday' },
    });
    expect(await messageOf(made['commit_id'])).toBe('for Monday');
  });
});
