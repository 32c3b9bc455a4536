import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importFormats } from '../../src/import/formats.js';
import { emptyStore, fixture, folderOf, imported, importInto, scanned } from './imported.js';

/** Edges as `from type to`, nodes by name. */
async function summary(path: string) {
  const { kind, nodes, edges } = await imported(path);
  return {
    kind,
    nodes: Object.fromEntries(nodes.map(({ name, ...node }) => [name, node])),
    edges: edges.map(({ from, type, to }) => `${from} ${type} ${to}`),
  };
}

const plain = { summary: null, tags: [], props: {}, observations: [] };

describe('conversations: one node each, the turns in order', () => {
  test('of a Claude export', async () => {
    expect(await summary(fixture('claude.json'))).toEqual({
      kind: 'claude',
      nodes: {
        'Naming a cat (5f0c1a2b)': {
          ...plain,
          type: 'conversation',
          props: {
            conversation_id: '5f0c1a2b-0000-4000-8000-000000000001',
            created: '2026-01-02T10:00:00.000Z',
            updated: '2026-01-02T10:05:00.000Z',
          },
          observations: [
            '2026-01-02T10:00:01.000Z user: What do I call a cat?',
            '2026-01-02T10:00:09.000Z assistant: Tom.',
            '2026-01-02T10:01:00.000Z user: Thanks',
          ],
        },
        'Conversation (77777777)': expect.objectContaining({ observations: [] }),
      },
      edges: [],
    });
  });

  test('of a ChatGPT export, along the path that is shown', async () => {
    const { kind, nodes } = await summary(fixture('chatgpt.json'));
    expect(kind).toBe('chatgpt');
    expect(nodes['Tea (c0ffee00)']?.observations).toEqual([
      '2026-01-02T10:00:01.000Z user: How long?',
      '2026-01-02T10:00:03.000Z assistant: Three minutes.',
    ]);
  });

  test('of a Claude Code transcript, without what tools and subagents said', async () => {
    const { kind, nodes } = await summary(fixture('claude-code.jsonl'));
    expect({ kind, nodes }).toEqual({
      kind: 'claude-code',
      nodes: {
        'Claude Code aaaa1111-2222-4333-8444-555566667777': {
          ...plain,
          type: 'conversation',
          props: {
            session_id: 'aaaa1111-2222-4333-8444-555566667777',
            ...{ folder: '/home/ada/trellis', git_branch: 'main', created: '2026-02-01T08:00:00.000Z' },
          },
          observations: [
            '2026-02-01T08:00:00.000Z user: Fix the build',
            '2026-02-01T08:00:05.000Z assistant: Done.',
          ],
        },
      },
    });
  });

  test('of a Codex transcript', async () => {
    const { kind, nodes } = await summary(fixture('codex.jsonl'));
    expect({ kind, nodes }).toMatchObject({
      kind: 'codex',
      nodes: {
        'Codex 0199aaaa-bbbb-7ccc-8ddd-eeeeffff0000': {
          props: { folder: '/home/ada/trellis', git_branch: 'main' },
          observations: [
            '2026-03-01T09:00:02.000Z user: Add a test',
            '2026-03-01T09:00:09.000Z assistant: Added.',
          ],
        },
      },
    });
  });

  test('of a folder with several, and of a long one, which is written in parts', async () => {
    const line = (session: string, second: number) =>
      JSON.stringify({
        ...{ type: 'user', sessionId: session, message: { role: 'user', content: `turn ${second}` } },
        timestamp: new Date(1_700_000_000_000 + second * 1_000).toISOString(),
      });
    const long = Array.from({ length: 450 }, (_, second) => line('long', second)).join('\n');
    const folder = await folderOf({ 'p/one.jsonl': long, 'p/two.jsonl': `${line('two', 1)}\n` });
    const { nodes } = await summary(folder);
    expect(nodes['Claude Code long']?.observations.map((text) => text.slice(25))).toEqual(
      Array.from({ length: 450 }, (_, second) => `user: turn ${second}`),
    );
    expect(Object.keys(nodes)).toContain('Claude Code two');
  });

  test('that go on later get the new turns only', async () => {
    const store = await emptyStore();
    await importInto(store, fixture('codex.jsonl'));
    const more = JSON.stringify({
      ...{ timestamp: '2026-03-01T10:00:00.000Z', type: 'event_msg' },
      payload: { type: 'user_message', message: 'And another' },
    });
    const folder = await folderOf({
      'more.jsonl': `${await readFile(fixture('codex.jsonl'), 'utf8')}${more}\n`,
    });
    const { counts } = await importInto(store, join(folder, 'more.jsonl'));
    expect(counts).toMatchObject({ nodesCreated: 0, nodesMerged: 1, observationsAdded: 1 });
  });

  test('whose messages lead in a circle end, and damaged ones are unreadable', async () => {
    const circle = {
      a: { id: 'a', parent: 'b', children: ['b'] },
      b: { id: 'b', parent: 'a', children: ['a'] },
    };
    const folder = await folderOf({
      'circle.json': JSON.stringify([
        { id: 'x', title: 'T', create_time: 1, current_node: 'a', mapping: circle },
      ]),
      'torn.jsonl': `${await readFile(fixture('claude-code.jsonl'), 'utf8')}{"type":"user","sess`,
      'none.json': '[{"uuid":"x","chat_messages":[]},\n{"uuid":7,"chat_messages":[]}]',
    });
    expect(await scanned(join(folder, 'circle.json'))).toMatchObject({
      kind: 'chatgpt',
      nodes: 1,
      unreadable: [],
    });
    expect((await scanned(join(folder, 'torn.jsonl'))).unreadable).toEqual([
      { kind: 'unreadable', line: 7, reason: 'is not JSON' },
    ]);
    expect((await scanned(join(folder, 'none.json'))).unreadable).toMatchObject([
      { line: 2, reason: 'is not a conversation of claude' },
    ]);
  });
});

describe('exports of other memories', () => {
  test('mem0', async () => {
    expect(await summary(fixture('mem0.json'))).toEqual({
      kind: 'mem0',
      nodes: {
        'Alex prefers vegetarian restaurants (f4cbdb08)': {
          ...{
            ...plain,
            type: 'memory',
            tags: ['food'],
            observations: ['Alex prefers vegetarian restaurants'],
          },
          props: {
            place: 'Rome',
            memory_id: 'f4cbdb08-7062-4f3e-8eb2-9f5c80dfe64c',
            created_at: '2024-07-01T12:00:00Z',
          },
        },
      },
      edges: ['Alex prefers vegetarian restaurants (f4cbdb08) about alex', 'alex lives_in rome'],
    });
  });

  test('a backup of OpenMemory, with the names of apps and categories, without what was deleted', async () => {
    const { kind, nodes, edges } = await summary(fixture('openmemory.json'));
    expect(edges).toEqual(['Uses pnpm (11111111) about alex']);
    expect({ kind, nodes }).toMatchObject({
      kind: 'mem0',
      nodes: {
        'Uses pnpm (11111111)': { tags: ['work'], props: { app: 'cursor' }, observations: ['Uses pnpm'] },
      },
    });
    expect(Object.keys(nodes)).toHaveLength(1);
  });

  test.each(['letta.af', 'letta-v0.af'])('Letta: %s', async (file) => {
    const { kind, nodes, edges } = await summary(fixture(file));
    expect(kind).toBe('letta');
    const blocks = Object.entries(nodes).filter(([, { type }]) => type === 'memory_block');
    expect(blocks).toMatchObject([[expect.stringMatching(/^human \(/), { observations: ['Name: Ada'] }]]);
    expect(nodes['Letta Sam']?.observations[0]).toBe('2025-06-01T00:00:01.000Z user: Hello');
    expect(nodes['Letta Sam']?.observations).toHaveLength(2);
    expect(edges).toEqual(['Sam has_conversation Letta Sam', `Sam has_memory ${blocks[0]?.[0]}`]);
  });

  test('claude-mem', async () => {
    const { kind, nodes, edges } = await summary(fixture('claude-mem.json'));
    const [name = ''] = Object.keys(nodes).filter((each) => each.startsWith('Paths'));
    expect(kind).toBe('claude-mem');
    expect(nodes).toEqual({
      [name]: {
        ...{ type: 'bugfix', summary: 'Back slashes', tags: ['paths'] },
        ...{ props: { project: 'trellis', files_modified: ['a.ts'] } },
        observations: ['join() is safe', 'It took a day.'],
      },
      'claude-mem session mem-1': {
        ...{ ...plain, type: 'session', props: { project: 'trellis' } },
        observations: [
          ...['prompt: Fix Windows', 'request: Fix Windows', 'learned: Use join()', 'completed: Fixed'],
          'prompt: And macOS?',
        ],
      },
    });
    expect(edges).toEqual([`${name} made_in claude-mem session mem-1`]);
  });

  test('mcp-memory-service', async () => {
    expect(await summary(fixture('mcp-memory-service.json'))).toEqual({
      kind: 'mcp-memory-service',
      nodes: {
        'Run pytest tests/ (abcdef12)': {
          ...{ ...plain, type: 'reference', tags: ['commands'], observations: ['Run pytest tests/'] },
          props: { category: 'quick', content_hash: 'abcdef1234567890', created_at: 1692634200 },
        },
      },
      edges: [],
    });
  });

  test('MemPalace: a node for each room, an observation for each drawer', async () => {
    expect(await summary(fixture('mempalace'))).toEqual({
      kind: 'mempalace',
      nodes: {
        'work / build': {
          ...plain,
          type: 'room',
          observations: ['Use npm ci\n\n## not a heading', 'Node 20'],
        },
      },
      edges: ['work / build in_wing work'],
    });
  });

  test('times of the other memory are kept as the time of the fact', async () => {
    const store = await emptyStore();
    await importInto(store, fixture('mem0.json'));
    const [node] = await store.read({ graph: 'default' }, (reader) => reader.nodes());
    expect(node?.provenance).toEqual({
      ...{ source: 'mem0.json:3', extraction_method: 'import:mem0' },
      last_updated: '2024-07-02T12:00:00.000Z',
    });
  });
});

test('memories whose texts and ids begin alike are two nodes', async () => {
  const memory = (id: string, end: string) => ({ id, memory: `${'The same words. '.repeat(9)}${end}` });
  const results = [memory('memory_of_ann_1', 'A'), memory('memory_of_ann_2', 'B')];
  const folder = await folderOf({ 'memories.json': JSON.stringify({ results }) });
  const { nodes } = await imported(join(folder, 'memories.json'));
  expect(nodes.map(({ props }) => props['memory_id']).sort()).toEqual(['memory_of_ann_1', 'memory_of_ann_2']);
});

test('what each format loses', () => {
  expect(Object.fromEntries(importFormats.map(({ kind, losses }) => [kind, losses]))).toEqual({
    memory: [],
    csv: [],
    json: [],
    markdown: [
      'attachments and pictures',
      'the layout of a note (a heading becomes the beginning of the observations below it)',
    ],
    'basic-memory': ['the layout of a note (a heading becomes the beginning of the observations below it)'],
    claude: ['projects, attached files and pictures', 'tool calls and their results'],
    chatgpt: [
      'other versions of a conversation (edited questions, repeated answers)',
      'tool calls, hidden messages, files and pictures',
    ],
    'claude-code': [
      'tool calls and their results, thinking, pictures',
      'side conversations of subagents, and titles',
    ],
    codex: ['tool calls and their results, reasoning, pictures'],
    mem0: ['memories that were deleted', 'access rules and the history of states', 'vectors'],
    letta: [
      'tools, model settings, files and sources',
      'archival memory, which an agent file does not contain',
    ],
    mempalace: ['ids of drawers and who added them', 'the knowledge graph, which an export does not contain'],
    'claude-mem': ['the numbers of prompts and tokens', 'vectors'],
    'mcp-memory-service': ['vectors'],
  });
});
