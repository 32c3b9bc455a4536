import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { compileGraphSchema } from '../../src/schema/enforce/compile-graph-schema.js';
import { openStoreAtLocation } from '../../src/store/open-store-at-location.js';
import type { Store } from '../../src/store/store-contract.js';
import type { Writer } from '../../src/store/writer.js';
import { type FreshDatabase, freshDatabase } from './support/fresh-database.js';

const author = { actor: 'ann', tool: 'test' };

/** Writes that are made in the same turn share a transaction. */
describe('writes to one branch that come together', () => {
  let database: FreshDatabase;
  let store: Store;
  let graph = '';
  let made = 0;

  beforeAll(async () => {
    database = await freshDatabase();
    store = await openStoreAtLocation(database.url, { compileGraphSchema });
  });
  beforeEach(async () => {
    graph = `graph-${++made}`;
    await store.createGraph(graph);
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  const put = async (writer: Writer, type: string, name: string) => {
    const [identity] = await writer.addIdentities([{ type, name }]);
    await writer.putNodes([{ id: identity?.node ?? 0, type, name }]);
  };
  const together = (works: readonly ((writer: Writer) => Promise<unknown>)[], branch = 'main') =>
    Promise.allSettled(works.map((work) => store.write({ graph, branch }, author, work)));
  const named = (writer: Writer, name: string) => put(writer, 'person', name);
  const names = (branch = 'main') =>
    store.read({ graph, branch }, async (reader) => (await reader.nodes()).map(({ name }) => name));
  /** Oldest first. */
  const chain = async (branch = 'main') => (await store.commits({ graph, branch })).reverse();

  const expectChain = async (length: number, branch = 'main') => {
    const commits = await chain(branch);
    expect(commits).toHaveLength(length);
    expect(commits.slice(1).map(({ parent }) => parent)).toEqual(commits.slice(0, -1).map(({ id }) => id));
    expect(commits.map(({ seq }) => seq)).toEqual(commits.map(({ seq }) => seq).sort((a, b) => a - b));
  };

  test('each is a commit after the one before, and sees what that wrote', async () => {
    const seen: number[] = [];
    const count = async (writer: Writer, name: string) => {
      seen.push((await writer.nodes()).length);
      await named(writer, name);
    };
    await together(['Ann', 'Bob', 'Cem', 'Dan'].map((name) => (writer: Writer) => count(writer, name)));
    expect(seen).toEqual([0, 1, 2, 3]);
    expect(await names()).toEqual(['Ann', 'Bob', 'Cem', 'Dan']);
    await expectChain(4);
  });

  test('one that gives up leaves nothing, and the others are stored', async () => {
    const givesUp = async (writer: Writer) => {
      await named(writer, 'Bob');
      throw new Error('No.');
    };
    const writes = (name: string) => (writer: Writer) => named(writer, name);
    const outcomes = await together([writes('Ann'), givesUp, writes('Cem')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[1]).toMatchObject({ reason: { message: 'No.' } });
    expect(await names()).toEqual(['Ann', 'Cem']);
    await expectChain(2);
  });

  test.each(['first', 'middle', 'last'])('so does one that the database refuses, the %s', async (place) => {
    const refused = place === 'first' ? 0 : place === 'middle' ? 1 : 2;
    // PostgreSQL takes no null characters; nothing above the store would let this pass.
    const works = ['Ann', 'Bob', 'Cem'].map(
      (name, index) => (writer: Writer) => named(writer, index === refused ? `${name}\0` : name),
    );
    const outcomes = await together(works);
    expect(outcomes.map(({ status }) => status === 'rejected')).toEqual(
      works.map((_, index) => index === refused),
    );
    expect(await names()).toEqual(['Ann', 'Bob', 'Cem'].filter((_, index) => index !== refused));
    await expectChain(2);
  });

  test('a refusal that a write hides fails it all the same, and nobody else', async () => {
    const hides = async (writer: Writer) => {
      await named(writer, 'Bob\0');
      await writer.nodes().catch(() => []);
      throw new Error('Something else.');
    };
    const outcomes = await together([
      (writer) => named(writer, 'Ann'),
      hides,
      (writer) => named(writer, 'Cem'),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await names()).toEqual(['Ann', 'Cem']);
    await expectChain(2);
  });

  test('those after one that sets a schema are validated against it', async () => {
    const schema = 'node Person {\n  email: String @key\n}\n';
    const outcomes = await together([
      (writer) => writer.setSchema(schema),
      (writer) => named(writer, 'Ann'),
      (writer) => writer.setSchema(null),
      (writer) => named(writer, 'Bob'),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(await names()).toEqual(['Bob']);
    await expectChain(3);
  });

  test('a schema whose write fails binds nobody', async () => {
    const outcomes = await together([
      async (writer) => {
        await writer.setSchema('node Person {\n  email: String @key\n}\n');
        throw new Error('No.');
      },
      (writer) => named(writer, 'Ann'),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });

  test('on a branch, each sees what the branch inherits', async () => {
    await together([(writer) => named(writer, 'Ann')]);
    await store.createBranch(graph, 'draft');
    const works = ['Bob', 'Cem'].map((name) => (writer: Writer) => named(writer, name));
    await together(works, 'draft');
    expect(await names('draft')).toEqual(['Ann', 'Bob', 'Cem']);
    expect(await names()).toEqual(['Ann']);
    await expectChain(3, 'draft');
  });

  test('one whose head moved within the batch is told so', async () => {
    const { commit } = await store.write({ graph }, author, (writer) => named(writer, 'Ann'));
    const target = { graph, ifCommit: commit?.id ?? '' };
    const outcomes = await Promise.allSettled(
      ['Bob', 'Cem'].map((name) => store.write(target, author, (writer) => named(writer, name))),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(outcomes[1]).toMatchObject({ reason: { code: 'HEAD_MOVED' } });
  });

  test('several nodes each, with ids that grow', async () => {
    const works = [3, 1, 4].map((count) => async (writer: Writer) => {
      const drafts = Array.from({ length: count }, () => ({ type: 'person', name: `node ${++made}` }));
      const identities = await writer.addIdentities(drafts);
      await writer.putNodes(identities.map(({ node, type, name }) => ({ id: node, type, name })));
    });
    await together(works);
    const ids = await store.read({ graph }, async (reader) => (await reader.nodes()).map(({ id }) => id));
    expect(ids).toHaveLength(8);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
  });

  test('a graph that is not there fails them all', async () => {
    graph = 'nowhere';
    const outcomes = await together([async () => 1, async () => 2]);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: { code: 'GRAPH_NOT_FOUND' } });
  });
});
