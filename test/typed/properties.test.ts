import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import type { IngestMode } from '../../src/ingest/ingest-mode.js';
import { runIngest } from '../../src/ingest/run-ingest.js';
import { times } from '../helpers/full.js';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';
import { exportedLines } from './exported-lines.js';

const author = { actor: 'ann', tool: 'test' };
const schema = `
node Person { email: String @key  age: I32?  code: I32? @unique }
edge Knows: Person -> Person { since: I32? }
edge Boss: Person -> Person @card(0..1)
`;
interface ExportedLine {
  readonly type?: string;
  readonly edge?: string;
  readonly from?: string;
  readonly data: { readonly email?: string; readonly code?: number };
}

const emails = ['a', 'b', 'c', 'd'];

const email = fc.constantFrom(...emails);
const small = fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined });
const node = fc.record({ email, age: small, code: small }).map((data) => ({ type: 'Person', data }));
const edge = fc
  .record({ edge: fc.constantFrom('Knows', 'Boss'), from: email, to: email, since: small })
  .map(({ since, ...ends }) => ({ ...ends, data: ends.edge === 'Knows' ? { since } : {} }));
const batch = fc.record({
  lines: fc.array(fc.oneof(node, edge), { maxLength: 8 }),
  mode: fc.constantFrom<IngestMode>('merge', 'append', 'overwrite'),
});

describe.each(databaseKinds)('$kind: whatever is ingested', (kind) => {
  let scratch: Scratch;
  let graphs = 0;
  beforeAll(async () => {
    scratch = await scratchStore(kind);
  });
  afterAll(() => scratch.dispose());

  const fresh = async () => {
    const name = `g${++graphs}`;
    await scratch.store.createGraph(name);
    await scratch.store.write({ graph: name }, author, (writer) => writer.setSchema(schema));
    return new Graph(scratch.store, name);
  };
  const load = (graph: Graph, lines: readonly object[], mode: IngestMode) =>
    runIngest(
      { commit: (work) => graph.commit(author, work) },
      [Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'))],
      { mode, maxBytes: 1_000_000 },
    );
  const linesOf = (graph: Graph) => exportedLines<ExportedLine>(graph);

  test('keeps the schema, is all or nothing, and comes out as it can go in', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(batch, { maxLength: 5 }), async (batches) => {
        const graph = await fresh();
        for (const { lines, mode } of batches) {
          const before = await linesOf(graph);
          const outcome = await load(graph, lines, mode).then(
            () => 'done',
            () => 'refused',
          );
          const after = await linesOf(graph);
          if (outcome === 'refused') expect(after).toEqual(before);
          const people = after.filter(({ type }) => type === 'Person').map(({ data }) => data);
          const codes = people.flatMap(({ code }) => code ?? []);
          expect(new Set(codes).size).toBe(codes.length);
          const bosses = after.filter(({ edge: type }) => type === 'Boss').map(({ from }) => from);
          expect(new Set(bosses).size).toBe(bosses.length);
          expect(new Set(people.map((person) => person.email)).size).toBe(people.length);
        }
        const lines = await linesOf(graph);
        const copy = await fresh();
        await load(copy, lines, 'append');
        expect(await linesOf(copy)).toEqual(lines);
      }),
      { numRuns: kind.kind === 'sqlite' ? times(12, 60) : times(3, 10) },
    );
  });
});
