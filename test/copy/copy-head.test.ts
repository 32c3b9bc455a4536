import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { defaultGraph } from '../../src/model/graph-record.js';
import { openStoreAtLocation } from '../../src/store/open-store-at-location.js';
import type { Store } from '../../src/store/store-contract.js';
import type { Writer } from '../../src/store/writer.js';
import { copyGraph } from '../../src/transfer/copy-graph.js';
import { copyLosses, jsonlFileLosses } from '../../src/transfer/copy-losses.js';
import { scratchFolder } from '../helpers/stores.js';
import { author, storeWithHistory } from './history.js';

const lines = [
  '{"type":"entity","name":"Ada","entityType":"person","observations":["Writes","Writes","Lives"],"summary":"A writer","tags":["a"],"props":{"born":1815}}',
  '{"type":"entity","name":"Café","entityType":"","observations":[]}',
  '{"type":"relation","from":"Ada","to":"Café","relationType":"visits","weight":0.25}',
  '{"type":"relation","from":"Ada","to":"Nobody","relationType":"knows","key":"k","props":{"since":1}}',
  '{"type":"relation","from":"Ghost","to":"Nobody","relationType":"haunts"}',
];
const text = lines.map((line) => `${line}\n`).join('');

describe('copying without history', () => {
  let folder: string;
  let open: Store[];
  beforeEach(async () => {
    folder = await scratchFolder();
    open = [];
  });
  afterEach(async () => {
    await Promise.all(open.map((store) => store.close()));
    await rm(folder, { recursive: true });
  });
  const path = (name: string) => join(folder, name);
  const keep = async (opening: Promise<Store>) => {
    const store = await opening;
    open.push(store);
    return store;
  };
  const opened = (name: string) => keep(openStoreAtLocation(path(name)));

  test('from JSON lines to SQLite and back gives the same file', async () => {
    await writeFile(path('a.jsonl'), text);
    const source = await opened('a.jsonl');
    const database = await opened('b.db');
    const there = await copyGraph(source, database, defaultGraph, { author });
    expect(there).toMatchObject({ history: false, commits: 1, alreadyThere: 0 });
    expect(await database.commits({ graph: defaultGraph })).toMatchObject([author]);
    const back = await copyGraph(database, await opened('c.jsonl'), defaultGraph, { author });
    expect(back.digest).toBe(there.digest);
    expect(await readFile(path('c.jsonl'), 'utf8')).toBe(text);
  });

  test('a copy that is there is recognised, anything else refused', async () => {
    await writeFile(path('a.jsonl'), text);
    await writeFile(path('b.jsonl'), `${lines[0]}\n`);
    const database = await opened('c.db');
    const first = await copyGraph(await opened('a.jsonl'), database, defaultGraph, { author });
    expect(await copyGraph(await opened('a.jsonl'), database, defaultGraph, { author })).toEqual({
      ...first,
      commits: 0,
      alreadyThere: 1,
    });
    await expect(
      copyGraph(await opened('b.jsonl'), database, defaultGraph, { author }),
    ).rejects.toMatchObject({ code: 'GRAPH_EXISTS' });
    await expect(
      copyGraph(database, await opened('b.jsonl'), defaultGraph, { author }),
    ).rejects.toMatchObject({ code: 'GRAPH_EXISTS' });
    expect(await readFile(path('b.jsonl'), 'utf8')).toBe(`${lines[0]}\n`);
  });

  test('any graph copied to JSON lines reads like its head, but for what is said to be lost', async () => {
    const source = await keep(storeWithHistory(path('a.db'), { seed: 21, operations: 300, together: 3 }));
    const losses = await copyLosses(source, defaultGraph, {
      graphs: false,
      branches: false,
      rejections: false,
      schemas: false,
    });
    expect(losses.map((loss) => loss.split(/[ (]/).slice(0, 2).join(' '))).toEqual([
      'the history',
      'the branches',
      'the provenance',
    ]);
    const target = await opened('b.jsonl');
    await copyGraph(source, target, defaultGraph, { author });
    expect(await shown(target)).toEqual(await shown(source));
  });

  test('of nodes that share a name the first is kept, with the edges of all', async () => {
    const source = await opened('a.db');
    await source.createGraph('two');
    await source.write({ graph: 'two' }, author, async (writer) => {
      const ids = await twins(writer);
      const edge = { to: ids[0] ?? 0, type: 'to', key: '', fromName: 'x', toName: 'x' };
      await writer.putEdges(ids.map((from) => ({ ...edge, from })));
    });
    expect(
      await copyLosses(source, 'two', { graphs: false, branches: false, rejections: false, schemas: false }),
    ).toEqual([
      'the name of the graph, which is default in a JSON lines file',
      'the history (commits: 1): who wrote what and when, and the ordinals',
      'all but the first of the nodes with the same name: x',
    ]);
    await copyGraph(source, await opened('b.jsonl'), 'two', { author });
    expect(await readFile(path('b.jsonl'), 'utf8')).toBe(
      '{"type":"entity","name":"x","entityType":"one","observations":["of one"]}\n' +
        '{"type":"relation","from":"x","to":"x","relationType":"to"}\n',
    );
  });

  test('databases lose nothing to each other, and files nothing to databases', async () => {
    const both = { graphs: true, branches: true, rejections: true, schemas: true };
    const database = await keep(storeWithHistory(path('a.db'), { seed: 1, operations: 50, together: 2 }));
    expect(await copyLosses(database, defaultGraph, both)).toEqual([]);
    await writeFile(path('b.jsonl'), text);
    expect(await copyLosses(await opened('b.jsonl'), defaultGraph, both)).toEqual([]);
    expect(await jsonlFileLosses(path('b.jsonl'))).toEqual([]);
  });

  test('a file names what is in no graph: lines that cannot be read, keys that nobody knows', async () => {
    await writeFile(path('a.jsonl'), `${lines[1]?.replace('}', ',"colour":"red"}')}\nnot json\n`);
    expect(await jsonlFileLosses(path('a.jsonl'))).toEqual([
      'line 2, which is not JSON',
      'keys that a graph cannot store: colour',
    ]);
  });
});

async function twins(writer: Writer): Promise<number[]> {
  const types = ['one', 'other'];
  const identities = await writer.addIdentities(types.map((type) => ({ type, name: 'x' })));
  await writer.putNodes(identities.map(({ node, type, name }) => ({ id: node, type, name })));
  await writer.putObservations(identities.map(({ node, type }) => ({ node, text: `of ${type}` })));
  return identities.map(({ node }) => node);
}

/** What a file can say of a graph; of names that several nodes share, nothing. */
function shown(store: Store): Promise<unknown> {
  return store.read({ graph: defaultGraph }, async (reader) => {
    const nodes = await reader.nodes();
    const observations = await reader.observationsOf(nodes.map(({ id }) => id));
    return {
      nodes: nodes.map(({ id, type, name, summary, tags, props }) => ({
        ...{ type, name, summary, tags, props },
        texts: observations.filter(({ node }) => node === id).map((observation) => observation.text),
      })),
      edges: (await reader.edges()).map(({ fromName, toName, type, key, weight, props }) => ({
        ...{ fromName, toName, type, key, weight, props },
      })),
    };
  });
}
