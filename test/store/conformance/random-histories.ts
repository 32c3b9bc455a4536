import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Writer } from '../../../src/store/writer.js';
import { times } from '../../helpers/full.js';
import type { StoreContext } from './context.js';
import { put } from './graph-by-name.js';

const names = ['a', 'b', 'c', 'd'];
const name = fc.constantFrom(...names);

/** One step of a history, on the branch with this number (of those there are by then). */
const step = fc.oneof(
  fc.record({
    kind: fc.constant('create' as const),
    branch: fc.nat(),
    name,
    text: fc.string({ maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constant('observe' as const),
    branch: fc.nat(),
    name,
    text: fc.string({ maxLength: 3 }),
  }),
  fc.record({ kind: fc.constant('forget' as const), branch: fc.nat(), name }),
  fc.record({ kind: fc.constant('relate' as const), branch: fc.nat(), name, to: name }),
  fc.record({ kind: fc.constant('unrelate' as const), branch: fc.nat(), name, to: name }),
  fc.record({ kind: fc.constant('delete' as const), branch: fc.nat(), name }),
  fc.record({ kind: fc.constant('fork' as const), branch: fc.nat() }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A branch as a child would keep it: copied when forked, changed in place. */
class NaiveBranch {
  nodes = new Map<string, string[]>();
  edges: string[] = [];

  copy(): NaiveBranch {
    const copy = new NaiveBranch();
    copy.nodes = new Map([...this.nodes].map(([key, texts]) => [key, [...texts]]));
    copy.edges = [...this.edges];
    return copy;
  }

  get drawn() {
    return {
      nodes: Object.fromEntries([...this.nodes].map(([key, texts]) => [key, [...texts]])),
      edges: [...this.edges],
    };
  }
}

/** Does a step on both; answers false if there is nothing to do. */
function change(
  branch: NaiveBranch,
  step: Exclude<Step, { kind: 'fork' }>,
): ((writer: Writer) => Promise<unknown>) | undefined {
  const texts = branch.nodes.get(step.name);
  const id = async (writer: Writer, of = step.name) => (await writer.nodesNamed([of]))[0]?.id ?? 0;
  switch (step.kind) {
    case 'create':
      if (texts) return undefined;
      branch.nodes.set(step.name, [step.text]);
      return (writer) => put(writer, { nodes: { [step.name]: [step.text] } });
    case 'observe':
      if (!texts) return undefined;
      texts.push(step.text);
      return async (writer) => writer.putObservations([{ node: await id(writer), text: step.text }]);
    case 'forget':
      if (!texts?.length) return undefined;
      texts.shift();
      return async (writer) => {
        const [first] = await writer.observationsOf([await id(writer)]);
        if (first) await writer.removeObservations([first]);
      };
    case 'relate': {
      const edge = `${step.name} to ${step.to}`;
      if (!texts || !branch.nodes.has(step.to) || branch.edges.includes(edge)) return undefined;
      branch.edges.push(edge);
      return (writer) => put(writer, { nodes: {}, edges: [edge] });
    }
    case 'unrelate': {
      const edge = `${step.name} to ${step.to}`;
      if (!branch.edges.includes(edge)) return undefined;
      branch.edges = branch.edges.filter((other) => other !== edge);
      return async (writer) =>
        writer.removeEdges([{ from: await id(writer), to: await id(writer, step.to), type: 'to', key: '' }]);
    }
    case 'delete':
      if (!texts) return undefined;
      branch.nodes.delete(step.name);
      branch.edges = branch.edges.filter((edge) => !edge.split(' to ').includes(step.name));
      return async (writer) => writer.removeNodes([await id(writer)]);
  }
}

/** Any history reads like a naive copy of every branch at every commit. */
export function randomHistoriesConformance(context: StoreContext): void {
  test('any history of writes and forks reads as it was written, at every head and every commit', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        await context.close();
        await context.open();
        const branches = new Map([['main', new NaiveBranch()]]);
        const states: { branch: string; commit: string; state: unknown }[] = [];
        for (const next of steps) {
          const [branchName, branch] = [...branches][next.branch % branches.size] ?? [
            'main',
            new NaiveBranch(),
          ];
          if (next.kind === 'fork') {
            if (!context.kind.capabilities.branches) continue;
            await context.store.createBranch('default', `b${branches.size}`, branchName);
            branches.set(`b${branches.size}`, branch.copy());
            continue;
          }
          const work = change(branch, next);
          if (work === undefined) continue;
          const { commit } = await context.write(work, branchName);
          states.push({ branch: branchName, commit: commit?.id ?? '', state: branch.drawn });
        }
        for (const [branchName, branch] of branches)
          expect(await context.look(branchName)).toEqual(branch.drawn);
        for (const { branch, commit, state } of states)
          expect(await context.look(branch, commit)).toEqual(state);
      }),
      { numRuns: times(6, 25) },
    );
  });
}
