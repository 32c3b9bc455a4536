import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';
import { type ListOf, namesOf, WorkspaceTools } from '../helpers/workspace-tools.js';

interface Opened {
  readonly entities: {
    name: string;
    summary: string | null;
    tags: string[];
    observations: { ordinal: number; content: string }[];
  }[];
  readonly relations: { relation_type: string }[];
  readonly not_found: string[];
  readonly nextCursor?: string;
  readonly warnings?: string[];
}

describe.each(databaseKinds)('trust 16: what is longer than one answer, on $kind', (kind) => {
  let scratch: Scratch;
  let tools: WorkspaceTools;
  const megabyte = 1_048_576;

  beforeEach(async () => {
    scratch = await scratchStore(kind);
    tools = await WorkspaceTools.open(scratch.store, { settings: { embedding: { provider: 'none' } } });
  });
  afterEach(async () => {
    await tools.close();
    await scratch.dispose();
  });

  /** In two calls: what one answers must not be too long. */
  async function relate(from: string, to: string, types: readonly string[]) {
    for (const some of [types.slice(0, 600), types.slice(600)])
      await tools.relate(...some.map((type) => [from, to, type] as const));
  }

  async function follow(args: Record<string, unknown>): Promise<Opened[]> {
    const pages: Opened[] = [];
    for (let cursor: string | undefined; ; ) {
      const page: Opened = await tools.ok('open_nodes', { ...args, ...(cursor ? { cursor } : {}) });
      pages.push(page);
      cursor = page.nextCursor;
      if (cursor === undefined) return pages;
    }
  }

  test('open_nodes shows summary, tags, observations and relations in pieces', async () => {
    const summary = 's'.repeat(5 * megabyte);
    const tags = Array.from({ length: 1_000 }, (_, index) => `${index}${'t'.repeat(4_000)}`);
    const texts = Array.from({ length: 3 }, (_, index) => `${index}${'x'.repeat(2 * megabyte)}`);
    const types = Array.from({ length: 1_100 }, (_, index) => `${index}${'r'.repeat(4_000)}`);
    await tools.create({ name: 'other' }, { name: 'big', summary });
    await tools.ok('set_tags', { name: 'big', tags });
    for (const content of texts)
      await tools.ok('add_observations', { observations: [{ entity_name: 'big', contents: [content] }] });
    await relate('big', 'other', types);
    const pages = await follow({ names: ['big', 'Zed'] });
    const big = pages.flatMap(({ entities }) => entities);
    expect(new Set(namesOf(big))).toEqual(new Set(['big']));
    expect(big.map((one) => one.summary ?? '').join('')).toBe(summary);
    expect(big.flatMap((one) => one.tags)).toEqual(tags);
    expect(big.flatMap((one) => one.observations)).toEqual(
      texts.map((content, index) => ({ ordinal: index + 1, content })),
    );
    expect(pages.flatMap((page) => page.relations.map((one) => one.relation_type))).toEqual(types);
    expect(pages.map((page) => page.not_found)).toEqual(pages.map(() => ['Zed']));
    expect(pages[0]?.warnings).toEqual([expect.stringContaining('Pass nextCursor as cursor to continue.')]);
  });

  test('open_nodes comes in pages', async () => {
    await tools.create({ name: 'a' }, { name: 'b' }, { name: 'c' });
    await tools.relate(['a', 'c']);
    const pages = await follow({ names: ['c', 'b', 'a'], limit: 2 });
    expect(pages.map(({ entities }) => namesOf(entities))).toEqual([['a', 'b'], ['c']]);
    expect(pages.map(({ relations }) => relations.length)).toEqual([1, 1]);
    expect(pages[0]).not.toHaveProperty('warnings');
  });

  test('a list has fewer items, or shorter texts, and every item can be reached', async () => {
    const names = ['a', 'b', 'c', 'd'];
    for (const name of names)
      await tools.create({ name, summary: `${name} kayak ${'s'.repeat(2 * megabyte)}` });
    await tools.create({
      name: 'huge',
      summary: `huge kayak ${'s'.repeat(5 * megabyte)}`,
      observations: ['kayak'],
    });
    for (const [tool, args] of [
      ['get_nodes_by_type', { entity_type: 'thing' }],
      ['get_orphans', {}],
      ['get_recently_modified', {}],
      ['search_nodes', { query: 'kayak', mode: 'text' }],
    ] as const) {
      const pages: ListOf<{ name: string; summary: string }>[] = [];
      for (let cursor: string | undefined; ; ) {
        const page: ListOf<{ name: string; summary: string }> = await tools.ok(tool, {
          ...args,
          ...(cursor ? { cursor } : {}),
        });
        pages.push(page);
        cursor = page.nextCursor;
        if (cursor === undefined) break;
      }
      const found = pages.flatMap(({ results }) => results);
      expect(namesOf(found).toSorted(), tool).toEqual([...names, 'huge']);
      expect(found.find(({ name }) => name === 'huge')?.summary.endsWith('…')).toBe(true);
      const warnings = pages.flatMap((page) => page.warnings ?? []);
      expect(warnings.join()).toContain('open_nodes shows all of them');
    }
    const { contents } = await tools.client.readResource({ uri: 'memory://recent-changes' });
    expect(JSON.stringify(contents)).toContain('huge');
  });

  test('a neighbourhood is cut, and every node and relation can be reached', async () => {
    const types = Array.from({ length: 1_100 }, (_, index) => `${index}${'r'.repeat(4_000)}`);
    await tools.create({ name: 'a' }, { name: 'b', summary: 's'.repeat(5 * megabyte) });
    await relate('a', 'b', types);
    const nodes: { name: string; summary: string | null }[] = [];
    const relations: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const page: {
        nodes: typeof nodes;
        relations: { relation_type: string }[];
        nextCursor?: string;
      } = await tools.ok('get_neighborhood', { name: 'a', ...(cursor ? { cursor } : {}) });
      nodes.push(...page.nodes);
      relations.push(...page.relations.map((one) => one.relation_type));
      cursor = page.nextCursor;
      if (cursor === undefined) break;
    }
    expect(new Set(namesOf(nodes))).toEqual(new Set(['a', 'b']));
    expect(nodes.map((one) => one.summary ?? '').join('')).toBe('s'.repeat(5 * megabyte));
    expect(relations).toEqual(types);
    const between = await tools.pages<{ relation_type: string }>(
      'get_relations_between',
      { entity_a: 'a', entity_b: 'b' },
      1_000,
    );
    expect(between.map((one) => one.relation_type)).toEqual(types);
  });
});
