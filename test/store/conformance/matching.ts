import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, Props } from '../../../src/model/json.js';
import type { Node } from '../../../src/model/node.js';
import type { ScalarProps } from '../../../src/store/read-requests.js';
import type { Reader } from '../../../src/store/reader.js';
import type { Writer } from '../../../src/store/writer.js';
import { times } from '../../helpers/full.js';
import type { StoreContext } from './context.js';

/** Gives a name its node of this type with these properties, whether or not it has one yet. */
async function describeNode(writer: Writer, name: string, props: Props, type = 'thing'): Promise<void> {
  const known = await writer.identitiesNamed([name]);
  const [node = (await writer.addIdentities([{ type, name }]))[0]?.node ?? 0] = known.map(({ node }) => node);
  if (known.length > 0 && !known.some((identity) => identity.type === type))
    await writer.addIdentities([{ type, name, node }]);
  const [before] = await writer.nodesById([node]);
  await writer.putNodes([
    { id: node, type, name, props, ...(before === undefined ? {} : { order: before.order }) },
  ]);
}

const longText = 'x'.repeat(300);

/** Properties and values that are alike, or that only look so. */
const property = fc.constantFrom('a', 'b', 'A', '', '__proto__', 'constructor');
const scalar = fc.constantFrom<string | number | boolean>(
  ...[0, 1, 1.5, 1e21, 5e-324, '0', '1', '', 'é', 'e\u0301', '"', true, false, 'true'],
  ...[`${longText}1`, `${longText}2`],
);
const value = fc.oneof({ weight: 4, arbitrary: scalar }, fc.constantFrom<Json>(null, [1], ['1'], { a: 1 }));
const branch = fc.nat();
/** Few, so that each is described again and again. */
const name = fc.constantFrom('p', 'q', 'r');
const type = fc.constantFrom('thing', 'other');
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('describe' as const),
      ...{ branch, name, type },
      props: fc.dictionary(property, value, { maxKeys: 3 }),
    }),
  },
  fc.record({ kind: fc.constant('delete' as const), branch, name }),
  fc.record({ kind: fc.constant('fork' as const), branch }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Asks for what some step wrote, or for part of it; or else for what probably nobody did. */
const question = fc.record({
  ...{ step: fc.nat(), type, atMost: fc.integer({ min: 1, max: 3 }) },
  instead: fc.option(fc.dictionary(property, scalar, { maxKeys: 2 }), { freq: 5, nil: undefined }),
});
type Question = typeof question extends fc.Arbitrary<infer T> ? T : never;

function asked({ step: nth, atMost, instead }: Question, steps: readonly Step[]): ScalarProps {
  const written = steps.flatMap((each) => (each.kind === 'describe' ? [each.props] : []));
  const scalars = Object.entries(written[nth % written.length] ?? {}).flatMap(([key, each]) =>
    typeof each === 'object' ? [] : [[key, each] as const],
  );
  return instead ?? Object.fromEntries(scalars.slice(0, atMost));
}

/** What equality means, said in another way than by an index. */
function matches(node: Node, type: string, props: ScalarProps): boolean {
  const own = new Map(Object.entries(node.props));
  return (
    node.type === type &&
    Object.entries(props).every(([key, value]) => JSON.stringify(own.get(key)) === JSON.stringify(value))
  );
}

/** Nodes are found by their type and properties. */
export function matchingConformance(context: StoreContext): void {
  const { write, read } = context;
  const named = (type: string, props: ScalarProps) => async (reader: Reader) =>
    (await reader.nodesMatching(type, props)).map(({ name }) => name);

  describe('nodes by their properties', () => {
    test('are those of the type that have all of them, in creation order', async () => {
      await write(async (writer) => {
        await describeNode(writer, 'z', { city: 'Lisbon', age: 40, tall: true });
        await describeNode(writer, 'y', { city: 'Lisbon', age: 41 });
        await describeNode(writer, 'x', { city: 'Lisbon', age: 40 });
        await describeNode(writer, 'w', { city: 'Lisbon', age: 40 }, 'dog');
      });
      expect(await read(named('thing', { city: 'Lisbon' }))).toEqual(['z', 'y', 'x']);
      expect(await read(named('thing', { age: 40, city: 'Lisbon' }))).toEqual(['z', 'x']);
      expect(await read(named('thing', { age: 40, city: 'Lisbon', tall: true }))).toEqual(['z']);
      expect(await read(named('dog', { age: 40 }))).toEqual(['w']);
      expect(await read(named('thing', { age: 40, city: 'Porto' }))).toEqual([]);
      expect(await read(named('thing', {}))).toEqual(['z', 'y', 'x']);
    });

    test('1 and 1.0 are equal; 1, "1" and true are not', async () => {
      await write(async (writer) => {
        await describeNode(writer, 'number', { n: 1 });
        await describeNode(writer, 'decimal', JSON.parse('{"n":1.0}'));
        await describeNode(writer, 'text', { n: '1' });
        await describeNode(writer, 'flag', { n: true });
        await describeNode(writer, 'list', { n: [1] });
      });
      expect(await read(named('thing', { n: 1 }))).toEqual(['number', 'decimal']);
      expect(await read(named('thing', { n: '1' }))).toEqual(['text']);
      expect(await read(named('thing', { n: true }))).toEqual(['flag']);
      expect(await read(named('thing', { n: Number.NaN }))).toEqual([]);
    });

    test('are found within the write that made them, and after the store was closed', async () => {
      await write(async (writer) => {
        await describeNode(writer, 'a', { n: 1 });
        expect(await named('thing', { n: 1 })(writer)).toEqual(['a']);
      });
      await context.reopen();
      expect(await read(named('thing', { n: 1 }))).toEqual(['a']);
    });

    test('a property that was changed, or whose node was removed, is not found, and is again when it is back', async () => {
      const found = () => read(named('thing', { n: 1 }));
      await write((writer) => describeNode(writer, 'a', { n: 1 }));
      await write((writer) => describeNode(writer, 'a', { n: 2 }));
      expect(await found()).toEqual([]);
      await write((writer) => describeNode(writer, 'a', { n: 1 }));
      expect(await found()).toEqual(['a']);
      await write(async (writer) => writer.removeNodes((await writer.nodesNamed(['a'])).map(({ id }) => id)));
      expect(await found()).toEqual([]);
      await write((writer) => describeNode(writer, 'a', { n: 1 }));
      expect(await found()).toEqual(['a']);
    });

    test('a node that has changed its type is found by the new one alone', async () => {
      const { commit } = await write((writer) => describeNode(writer, 'a', { n: 1 }));
      await write((writer) => describeNode(writer, 'a', { n: 1 }, 'other'));
      expect(await read(named('thing', { n: 1 }))).toEqual([]);
      expect(await read(named('other', { n: 1 }))).toEqual(['a']);
      expect(await read(named('thing', { n: 1 }), undefined, commit?.id)).toEqual(['a']);
    });

    test('stubs are not among them', async () => {
      await write(async (writer) => {
        const [identity] = await writer.addIdentities([{ type: 'thing', name: 'ghost' }]);
        await writer.putNodes([
          { id: identity?.node ?? 0, type: 'thing', name: 'ghost', stub: true, props: { n: 1 } },
        ]);
      });
      expect(await read(named('thing', { n: 1 }))).toEqual([]);
    });

    test('a rare property narrows a common one down, whichever is named first', async () => {
      await write(async (writer) => {
        const names = Array.from({ length: 1_100 }, (_, index) => `n${index}`);
        const made = await writer.addIdentities(names.map((name) => ({ type: 'thing', name })));
        await writer.putNodes(
          made.map(({ node, name }, index) => ({
            ...{ id: node, type: 'thing', name },
            props: { common: true, odd: index % 2 === 1, hundreds: Math.floor(index / 100) },
          })),
        );
      });
      expect(await read(named('thing', { common: true, hundreds: 3, odd: true }))).toHaveLength(50);
      expect(await read(named('thing', { hundreds: 10, common: true }))).toHaveLength(100);
      expect(await read(named('thing', { common: true, odd: false }))).toHaveLength(550);
      expect(await read(named('thing', { common: true }))).toHaveLength(1_100);
    });

    test('more properties than anybody has are looked for one by one', async () => {
      const many = Object.fromEntries(Array.from({ length: 1_200 }, (_, index) => [`p${index}`, index]));
      await write(async (writer) => {
        await describeNode(writer, 'all', many);
        await describeNode(writer, 'all but one', { ...many, p1199: 0 });
      });
      expect(await read(named('thing', many))).toEqual(['all']);
    });

    test('any properties are found as looking at every node finds them, at every head and every commit', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 5, maxLength: 25 }),
          fc.array(question, { minLength: 5, maxLength: 10 }),
          async (steps, questions) => {
            await context.close();
            await context.open();
            const branches = ['main'];
            const views: { branch: string; commit?: string }[] = [{ branch: 'main' }];
            for (const next of steps) {
              const on = branches[next.branch % branches.length] ?? 'main';
              if (next.kind === 'fork') {
                if (!context.kind.capabilities.branches) continue;
                const name = `b${branches.length}`;
                await context.store.createBranch('default', name, on);
                branches.push(name);
                views.push({ branch: name });
                continue;
              }
              const { commit } = await write(async (writer) => {
                if (next.kind === 'describe') await describeNode(writer, next.name, next.props, next.type);
                else await writer.removeNodes((await writer.nodesNamed([next.name])).map(({ id }) => id));
              }, on);
              if (commit !== null) views.push({ branch: on, commit: commit.id });
            }
            for (const { branch: on, commit } of views) {
              await read(
                async (reader) => {
                  const all = await reader.nodes();
                  for (const each of questions) {
                    const props = asked(each, steps);
                    expect(await reader.nodesMatching(each.type, props)).toEqual(
                      all.filter((node) => matches(node, each.type, props)),
                    );
                  }
                },
                on,
                commit,
              );
            }
          },
        ),
        { numRuns: times(6, 25) },
      );
    });
  });
}
