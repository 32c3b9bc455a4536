import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bindQuery } from '../../src/query/bind-query.js';
import { checkQueries } from '../../src/query/check/check-query.js';
import { parseGraphSchema } from '../../src/schema/graph/parse-graph-schema.js';
import { times } from '../helpers/full.js';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';
import { AskedGraph } from './asked-graph.js';
import { conditionsOnConstants } from './generate/constant-conditions.js';
import { evaluate } from './naive/evaluate.js';

const schema =
  'node Flag { name: String @key  on: Bool?  sure: Bool? }  edge Next: Flag -> Flag { on: Bool? }';
const context = { clock: () => Date.UTC(2026, 0, 31), embed: null };
const seed = process.env['TRELLIS_TEST_SEED'];

describe.each(databaseKinds)('conditions as values of mutations on $kind', (kind) => {
  let scratch: Scratch;
  let asked: AskedGraph;
  beforeAll(async () => {
    scratch = await scratchStore(kind);
    asked = new AskedGraph(scratch.store);
    await asked.fill(schema, []);
  });
  afterAll(() => scratch.dispose());

  const flags = () => asked.rows('() { match { $f: Flag } return { $f.name, $f.on } order { $f.name } }');

  test('are inserted and updated; null if they cannot be decided', async () => {
    await asked.mutate(
      `($n: I32, $m: I32?) {
        insert Flag { name: "a", on: $n > 3 and not $n = 5 }
        insert Flag { name: "b", on: $m > 3 }
        insert Next { from: "a", to: "b", on: $m is null }
      }`,
      { n: 4 },
    );
    expect(await flags()).toEqual([
      ['a', true],
      ['b', null],
    ]);
    expect(await asked.rows('() { match { $_ $w: next $_ } return { $w.on } }')).toEqual([[true]]);
    await asked.mutate(
      '($n: I32, $m: I32?) { update Flag set { on: $n in [1, 2] or $m > 1 } where name = "a" }',
      { n: 3 },
    );
    expect((await flags())[0]).toEqual(['a', null]);
    await asked.mutate('($n: I32) { update Flag set { on: ($n > 1) = ($n < 5) } where on is null }', {
      n: 3,
    });
    expect(await flags()).toEqual([
      ['a', true],
      ['b', true],
    ]);
  });

  test('are what a read makes of them, and what trying everything does', async () => {
    await fc.assert(
      fc.asyncProperty(conditionsOnConstants, async ({ declared, condition, params }) => {
        await asked.mutate(
          `(${declared}) { delete Flag where name = "x"  insert Flag { name: "x", on: ${condition} }  update Flag set { sure: ${condition} } where name = "x" }`,
          params,
        );
        const read = `query q(${declared}) { match { $f: Flag { name: "x" } } return { ${condition} as v } }`;
        const [checked] = checkQueries({ text: read }, parseGraphSchema(schema));
        if (checked === undefined) throw new Error(read);
        const bound = await bindQuery(checked, params, context);
        if (bound.kind !== 'read') throw new Error(read);
        const naive = {
          nodes: [{ ref: 'x', type: 'Flag', name: 'x', props: { name: 'x' }, ...plainNode }],
          edges: [],
        };
        const [[expected] = []] = evaluate(naive, bound.query);
        const [stored] = await asked.rows(
          '() { match { $f: Flag { name: "x" } } return { $f.on, $f.sure } }',
        );
        expect(stored, `${read} ${JSON.stringify(params)}`).toEqual([expected, expected]);
        expect(await asked.rows(read.slice('query q'.length), params), read).toEqual([[expected]]);
      }),
      { numRuns: times(100, 1_000), ...(seed === undefined ? {} : { seed: Number(seed) }) },
    );
  }, 600_000);
});

const plainNode = { summary: null, tags: [], observations: [], provenance: null };
