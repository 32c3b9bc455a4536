import { beforeEach, describe, expect, test } from 'vitest';
import type { Commit } from '../../../src/model/commit.js';
import type { Node, Observation } from '../../../src/model/node.js';
import type { Reader } from '../../../src/store/reader.js';
import { nodeText } from '../../../src/store/text/node-text.js';
import { stems } from '../../../src/store/text/words.js';
import { author, main, type StoreContext } from './context.js';
import { put } from './graph-by-name.js';

/** Everything a reader sees, from the reads that all others have to agree with. */
interface Seen {
  readonly nodes: readonly Node[];
  readonly observations: readonly Observation[];
  readonly edges: Awaited<ReturnType<Reader['edges']>>;
  readonly ids: readonly number[];
}

const space = { model: 'letters', perspective: '', dimension: 4 };
const words = ['tea', 'train', 'late', 'old'];

/** How often the first letters of the words stand in a text, as a vector of length 1. */
function vectorOf(text: string): Float32Array {
  const counts = Float32Array.from(['t', 'r', 'a', 'o'], (letter) => text.split(letter).length);
  const length = Math.hypot(...counts);
  return counts.map((count) => count / length);
}

const unit = (vector: Float32Array = new Float32Array()) => {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
};
const cosine = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, value, axis) => sum + value * (b[axis] ?? 0), 0);
const names = (nodes: readonly Node[]) => nodes.map(({ name }) => name);
const textsOf = (observations: readonly Pick<Observation, 'text'>[]) => observations.map(({ text }) => text);

/** Reads that could be worked out from others agree with them: at a head, at a past commit, and on branches. */
export function derivedReadsConformance(context: StoreContext): void {
  describe.runIf(context.kind.capabilities.branches)('reads that follow from others', () => {
    /** Which state to look at, by what it is called in the tests. */
    const views = new Map<string, { branch?: string; commit?: string }>();

    beforeEach(async () => {
      const { store, write } = context;
      const later = () => {
        context.now += 1_000;
      };
      const named = async (reader: Reader, name: string) => {
        const [node] = await reader.nodesNamed([name]);
        if (node === undefined) throw new Error(`There is no ${name}.`);
        return node;
      };
      const first = await write((writer) =>
        put(writer, {
          nodes: { ann: ['drinks tea', 'takes the train'], bob: ['is late'], cat: ['old'], dan: [] },
          edges: ['ann knows bob', 'bob knows cat', 'ann likes bob'],
        }),
      );
      later();
      const second = await write(async (writer) => {
        const bob = await named(writer, 'bob');
        await writer.putNodes([
          { ...bob, summary: 'always late for tea', summaryUpdatedAt: context.now },
          { ...(await named(writer, 'dan')), summary: 'an old friend', summaryUpdatedAt: context.now },
        ]);
        await writer.putObservations([{ node: (await named(writer, 'ann')).id, text: 'tea on the train' }]);
      });
      later();
      await store.createBranch(main.graph, 'try');
      await write(async (writer) => {
        const [ann, bob] = [await named(writer, 'ann'), await named(writer, 'bob')];
        await writer.removeObservations([{ node: ann.id, ordinal: 1 }]);
        await writer.putObservations([{ node: bob.id, ordinal: 1, text: 'was late once' }]);
        await writer.removeNodes([(await named(writer, 'cat')).id]);
        await put(writer, { nodes: { eve: ['old tea'] }, edges: ['eve knows ann'] });
      }, 'try');
      later();
      await write(async (writer) => writer.removeNodes([(await named(writer, 'bob')).id]));
      later();
      await store.createBranch(main.graph, 'deeper', 'try');
      await write((writer) => put(writer, { nodes: { fay: ['train'] }, edges: ['fay knows fay'] }), 'deeper');
      views.clear();
      views.set('the head', {});
      views.set('its first commit', { commit: first.commit?.id ?? '' });
      views.set('its second commit', { commit: second.commit?.id ?? '' });
      views.set('a branch', { branch: 'try' });
      views.set('a branch of a branch', { branch: 'deeper' });
    });

    /** Looks at every state, with what the plain reads say of it. */
    const everywhere = async (check: (reader: Reader, seen: Seen, view: string) => Promise<void>) => {
      for (const [view, target] of views) {
        await context.store.read({ ...main, ...target }, async (reader) => {
          const nodes = await reader.nodes();
          const ids = nodes.map(({ id }) => id);
          const observations = await reader.observationsOf(ids);
          await check(reader, { nodes, ids, observations, edges: await reader.edges() }, view);
        });
      }
    };
    const expectedIn = (view: string, wanted: Readonly<Record<string, readonly string[]>>) =>
      wanted[view] ?? wanted['elsewhere'] ?? [];

    test('nodes without edges', async () => {
      await everywhere(async (reader, { nodes, edges }, view) => {
        const ends = new Set(edges.flatMap(({ from, to }) => [from, to]));
        const found = await reader.nodesWithoutEdges();
        expect(found, view).toEqual(nodes.filter(({ id }) => !ends.has(id)));
        expect(names(found), view).toEqual(
          expectedIn(view, { 'the head': ['ann', 'cat', 'dan'], elsewhere: ['dan'] }),
        );
        const [one] = await reader.nodesWithoutEdges({ limit: 1 });
        expect(one, view).toEqual(found[0]);
        expect(await reader.nodesWithoutEdges({ after: one?.order }), view).toEqual(found.slice(1));
      });
    });

    test('tallies of observations, and nodes that want a summary', async () => {
      await everywhere(async (reader, { nodes, ids, observations }, view) => {
        const tallies = new Map(
          ids.flatMap((id) => {
            const own = observations.filter(({ node }) => node === id);
            const newest = Math.max(...own.map(({ createdAt }) => createdAt));
            return own.length === 0 ? [] : [[id, { observations: own.length, newest }] as const];
          }),
        );
        expect(await reader.tallyObservations(ids), view).toEqual(tallies);
        expect(await reader.tallyObservations([]), view).toEqual(new Map());
        const found = await reader.nodesToSummarise();
        expect(found, view).toEqual(
          nodes.flatMap((node) => {
            const tally = tallies.get(node.id);
            const fresh = node.summary !== null && (node.summaryUpdatedAt ?? 0) >= (tally?.newest ?? 0);
            return tally === undefined || fresh ? [] : [{ node, ...tally }];
          }),
        );
        expect(
          found.map(({ node }) => node.name),
          view,
        ).toEqual(
          expectedIn(view, {
            'its first commit': ['ann', 'bob', 'cat'],
            'a branch': ['ann', 'bob', 'eve'],
            'a branch of a branch': ['ann', 'bob', 'eve', 'fay'],
            elsewhere: ['ann', 'cat'],
          }),
        );
      });
    });

    test('links of nodes, and edges between them', async () => {
      await everywhere(async (reader, { nodes, ids, edges }, view) => {
        const pairs = (all: readonly { from: number; to: number }[]) =>
          [...new Set(all.map(({ from, to }) => `${from} ${to}`))].sort();
        for (const some of [ids, ids.slice(0, 2), ids.slice(-1), []]) {
          const touching = edges.filter(({ from, to }) => some.includes(from) || some.includes(to));
          const links = await reader.linksOf(some);
          expect(pairs(links), view).toEqual(pairs(touching));
          expect(links, view).toHaveLength(pairs(links).length);
          expect(await reader.edgesBetween(some), view).toEqual(
            edges.filter(({ from, to }) => some.includes(from) && some.includes(to)),
          );
        }
        expect(names(nodes).includes('bob'), view).toBe(view !== 'the head');
      });
    });

    test('what observations say, all of them and in ranges of ordinals', async () => {
      await everywhere(async (reader, { ids, observations }, view) => {
        for (const [from, to] of [
          [0, 100],
          [2, 2],
          [2, 3],
          [3, 1],
        ] as const) {
          expect(
            await reader.observationsBetween(ids.map((node) => ({ node, from, to }))),
            `${view}, ${from} to ${to}`,
          ).toEqual(
            observations
              .filter(({ ordinal }) => ordinal >= from && ordinal <= to)
              .map(({ node, ordinal, text }) => ({ node, ordinal, text })),
          );
        }
        expect(await reader.observationsBetween([]), view).toEqual([]);
        expect(await reader.observationsLength(), view).toBe(textsOf(observations).join('').length);
        expect(await reader.textsOf(ids), view).toEqual(
          observations.map(({ node, ordinal, text }) => ({ node, ordinal, text })),
        );
      });
    });

    test('texts with words, and how many there are', async () => {
      await everywhere(async (reader, { nodes, observations }, view) => {
        const has = (text: string, all: readonly string[]) => all.every((stem) => stems(text).includes(stem));
        const statistics = await reader.wordStatistics(words);
        expect(statistics, view).toMatchObject({ nodes: nodes.length, observations: observations.length });
        for (const stem of words) {
          const seen =
            observations.filter(({ text }) => has(text, [stem])).length +
            nodes.filter((node) => has(nodeText(node), [stem])).length;
          expect(statistics.texts.get(stem) ?? 0, `${view}: ${stem}`).toBeGreaterThanOrEqual(seen);
        }
        for (const all of [...words.map((word) => [word]), ['tea', 'train'], ['tea', 'old']]) {
          const told = `${view}: ${all.join(' ')}`;
          const found = await reader.observationsWithWords(all, { limit: 100 });
          expect(textsOf(found).sort(), told).toEqual(
            textsOf(observations.filter(({ text }) => has(text, all))).sort(),
          );
          const named = await reader.nodesWithWords(all, { limit: 100 });
          expect(names(named).sort(), told).toEqual(
            names(nodes.filter((node) => has(nodeText(node), all))).sort(),
          );
          for (const node of nodes) {
            const own = await reader.observationsWithWords(all, { limit: 100, node: node.id });
            expect(own.length, told).toBe(found.filter((one) => one.node === node.id).length);
          }
          expect(await reader.observationsWithWords(all, { limit: 100, types: ['nothing'] })).toEqual([]);
        }
      });
    });

    test('who touched what last', async () => {
      await everywhere(async (reader, { ids }, view) => {
        const all = await reader.touches({ limit: 100 });
        const order = all.map(({ seq, node }) => seq * 1_000 + node);
        expect(order, view).toEqual([...order].sort((a, b) => b - a));
        const last = new Map([...all].reverse().map((touch) => [touch.node, touch]));
        const found = await reader.lastTouched(ids);
        for (const id of ids) expect(found.get(id), view).toEqual(last.get(id));
        expect(await reader.updatedAt(ids), view).toEqual(
          new Map([...found].map(([id, { time }]) => [id, time])),
        );
        const paged: typeof all = [];
        for (;;) {
          const before = paged.at(-1);
          const page = await reader.touches({ limit: 2, before });
          paged.push(...page);
          if (page.length < 2) break;
        }
        expect(paged, view).toEqual(all);
      });
    });

    test('the commits that led here', async () => {
      const histories = new Map<string, Commit[]>();
      for (const [view, { branch }] of views)
        histories.set(view, await context.store.commits({ ...main, branch }, { limit: 100 }));
      await everywhere(async (reader, _, view) => {
        const { commit } = views.get(view) ?? {};
        const history = histories.get(view) ?? [];
        const until = history.findIndex(({ id }) => id === commit);
        const expected = (commit === undefined ? history : history.slice(until)).map(
          ({ id, seq, time, counts }) => ({ commit: id, seq, time, counts }),
        );
        expect(await reader.commits({ limit: 100 }), view).toEqual(expected);
        const [newest] = expected;
        expect(await reader.commits({ limit: 100, before: newest?.seq }), view).toEqual(expected.slice(1));
      });
    });

    test('vectors: what is near, how much is embedded, and what nodes say as a whole', async () => {
      const { vectors } = context.store;
      if (vectors === null) throw new Error('no vectors');
      await everywhere(async (reader) => {
        expect(await reader.countEmbedded(space)).toBe(0);
        expect(await reader.nearTexts(space, vectorOf('tea'), { limit: 10 })).toEqual([]);
        expect(await reader.nodeVectors(space, [1, 2])).toEqual([]);
        expect((await reader.nearNodePairs(space, { minScore: -1 })).pairs).toEqual([]);
      });
      const pending = await vectors.pending(main.graph, space, 100);
      await vectors.put(
        main.graph,
        space,
        pending.map(({ document, text }) => ({ document, vector: vectorOf(text) })),
      );
      await vectors.maintain(main.graph, space);
      expect(await vectors.spaces(main.graph)).toEqual([space]);

      await everywhere(async (reader, { nodes, ids, observations }, view) => {
        expect(await reader.countEmbedded(space), view).toBe(observations.length);
        const query = vectorOf('tea on a train');
        const near = await reader.nearTexts(space, query, { limit: 100 });
        const texts = [
          ...observations.map(({ node, ordinal, text }) => ({ node, ordinal, text, of: text })),
          ...nodes.map((node) => ({ node: node.id, ordinal: null, text: node.name, of: nodeText(node) })),
        ];
        const key = ({ node, ordinal }: { node: number; ordinal: number | null }) => `${node}/${ordinal}`;
        expect(near.map(key).sort(), view).toEqual(texts.map(key).sort());
        const scores = new Map(texts.map((one) => [key(one), cosine(vectorOf(one.of), query)]));
        for (const one of near) expect(one.score, view).toBeCloseTo(scores.get(key(one)) ?? 0, 5);
        for (const [at, one] of near.entries())
          expect(one.score, view).toBeLessThanOrEqual(near[at - 1]?.score ?? 1.1);
        for (const id of ids) {
          const own = await reader.nearTexts(space, query, { limit: 100, node: id });
          expect(own.length, view).toBe(texts.filter(({ node }) => node === id).length);
        }

        const sums = new Map(
          (await reader.nodeVectors(space, ids)).map(({ node, vector }) => [node, vector]),
        );
        const observed = ids.filter((id) => observations.some(({ node }) => node === id));
        expect([...sums.keys()].sort(), view).toEqual([...observed].sort());
        for (const id of observed) {
          const own = observations.filter(({ node }) => node === id).map(({ text }) => vectorOf(text));
          for (const [axis, value] of (sums.get(id) ?? []).entries()) {
            const sum = own.reduce((total, vector) => total + (vector[axis] ?? 0), 0);
            expect(value, view).toBeCloseTo(sum, 4);
          }
        }
        const { pairs, compared } = await reader.nearNodePairs(space, { minScore: -1 });
        expect(compared, view).toBe(observed.length);
        expect(pairs.length, view).toBe((observed.length * (observed.length - 1)) / 2);
        for (const { a, b, score } of pairs)
          expect(score, view).toBeCloseTo(cosine(unit(sums.get(a)), unit(sums.get(b))), 2);
      });
      await context.write((writer) => put(writer, { nodes: { gus: ['new'] } }));
      await context.read(async (reader) => {
        const { observations } = await reader.counts();
        expect(await reader.countEmbedded(space)).toBe(observations - 1);
      });
    });

    test('a write sees them as they are within it', async () => {
      await context.store.write(main, author, async (writer) => {
        await put(writer, { nodes: { gus: ['late tea'] } });
        expect(names(await writer.nodesWithoutEdges())).toContain('gus');
        expect(textsOf(await writer.observationsWithWords(['tea', 'late'], { limit: 10 }))).toEqual([
          'late tea',
        ]);
        expect((await writer.nodesToSummarise()).map(({ node }) => node.name)).toContain('gus');
      });
    });
  });
}
