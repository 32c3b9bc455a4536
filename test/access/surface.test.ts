import { describe, expect, test } from 'vitest';
import { readPolicy } from '../../src/access/policy/read-policy.js';
import { permissionCheckFor } from '../../src/access/policy/server-policies.js';
import { Graph } from '../../src/engine/graph.js';
import { openInMemorySqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import { callTool, readResource } from '../../src/surfaces/dispatch.js';
import type { RequestContext } from '../../src/surfaces/request-context.js';
import { openSurface, visibleTools } from '../../src/surfaces/surface-registry.js';
import { requestContextOn } from '../helpers/surfaces.js';
import { actor } from './policies.js';

/** The memory surface as somebody sees it under a policy. */
async function seenBy(id: string, allow: string): Promise<RequestContext> {
  const policy = await readPolicy(`version: 1\nrules: [{ id: r, allow: { ${allow} } }]\n`, 'p.yaml');
  const store = await openInMemorySqliteStore();
  await store.createGraph('work');
  const graph = new Graph(store, 'work');
  const surface = await openSurface('memory', { store, graph, settings: {}, warn: () => {} });
  const who = actor(id);
  return {
    ...requestContextOn(surface, graph),
    actor: who,
    may: permissionCheckFor(policy, who, 'work', 'main'),
  };
}

describe('a surface under a policy', () => {
  test('shows the tools that are allowed, and no others', async () => {
    const context = await seenBy('ann', 'actors: any, actions: [read]');
    expect(visibleTools(context).map(({ name }) => name)).toEqual([
      'read_graph',
      'search_nodes',
      'open_nodes',
    ]);
    const other = await seenBy('eve', 'actors: { actor: ann }, actions: [read, change]');
    expect(visibleTools(other)).toEqual([]);
  });

  test('a tool that is denied and one that does not exist answer alike, and nothing is written', async () => {
    const context = await seenBy('ann', 'actors: any, actions: [read]');
    const entities = [{ name: 'Ada', entityType: 'person', observations: [] }];
    const failure = (name: string, args: object) =>
      callTool(context, name, args).catch((error: { code: string; message: string; details: unknown }) => ({
        code: error.code,
        message: error.message,
        details: error.details,
      }));
    const denied = await failure('create_entities', { entities });
    expect(denied).toEqual({
      code: 'UNKNOWN_TOOL',
      message: 'unknown tool "create_entities"',
      details: undefined,
    });
    expect(await failure('create_entities', { nonsense: 1 })).toEqual(denied);
    expect(await failure('no_such_tool', { entities })).toEqual({
      ...denied,
      message: 'unknown tool "no_such_tool"',
    });
    expect(await callTool(context, 'read_graph', {})).toMatchObject({
      structuredContent: { entities: [], relations: [] },
    });
  });

  test('without read there is no resource either', async () => {
    const context = await seenBy('ann', 'actors: any, actions: [change]');
    await expect(readResource(context, 'memory://knowledge-graph')).rejects.toMatchObject({
      code: 'UNKNOWN_RESOURCE',
    });
  });

  test('a commit carries the actor', async () => {
    const context = await seenBy('ann', 'actors: any, actions: [read, change]');
    const authors: string[] = [];
    context.graph.events.onCommit((commit) => authors.push(commit.actor));
    const entities = [{ name: 'Ada', entityType: 'person', observations: [] }];
    await callTool(context, 'create_entities', { entities });
    await expect.poll(() => authors).toEqual(['ann']);
  });
});
