import fc from 'fast-check';
import type { Conflict, ResolutionSide } from '../../src/engine/history/merge/conflict.js';
import { type ErrorCode, TrellisError } from '../../src/model/error.js';
import { mainBranch } from '../../src/model/graph-record.js';
import type { Picture, Repository } from './repository.js';

const names = ['a', 'b', 'c', 'd'] as const;
const name = fc.constantFrom(...names);
const type = fc.constantFrom('thing', 'place');
const text = fc.constantFrom('one', 'two', 'three');
const branch = fc.nat({ max: 20 });

/** A write on one branch. */
export const change = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('create'), branch, name, type, text }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('observe'), branch, name, text }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('forget'), branch, name }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('replace'), branch, name, text }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('relate'), branch, name, to: name }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('unrelate'), branch, name, to: name }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('weigh'), branch, name, weight: fc.constantFrom(0, 0.5, 1) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete'), branch, name }) },
  {
    weight: 2,
    arbitrary: fc.record({
      ...{ kind: fc.constant('set'), branch, name, key: fc.constantFrom('x', 'y') },
      value: fc.option(fc.nat({ max: 2 }), { nil: undefined }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('retype'), branch, name, type }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('tag'),
      branch,
      name,
      tags: fc.subarray(['red', 'green', 'blue']),
    }),
  },
);
export type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** What happens to the branches themselves. */
const growth = fc.oneof(
  fc.record({ kind: fc.constant('fork'), branch }),
  fc.record({ kind: fc.constant('merge'), branch, into: branch, take: fc.constantFrom('source', 'target') }),
  fc.record({ kind: fc.constant('drop'), branch }),
);

export const step = fc.oneof({ weight: 3, arbitrary: change }, { weight: 1, arbitrary: growth });
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Something that was seen, and must be seen again. */
interface Seen {
  readonly commit: string;
  readonly state: Picture;
}

/** Plays a history on a repository and remembers what every branch and commit showed. */
export class RandomHistory {
  readonly on: Repository;
  readonly branches = [mainBranch];
  readonly seen: Seen[] = [];
  readonly heads = new Map<string, Picture>();
  #forks = 0;

  constructor(on: Repository) {
    this.on = on;
  }

  async play(steps: readonly Step[]): Promise<void> {
    await this.#look(mainBranch);
    for (const next of steps) await this.#step(next);
  }

  /** Does a change; what does not apply is left out, and so is what means one of several namesakes. */
  async change(next: Change, onBranch: string): Promise<void> {
    await unless('AMBIGUOUS_NAME', () => this.#change(next, onBranch));
  }

  async #change(next: Change, onBranch: string): Promise<void> {
    const { on } = this;
    const there = (await on.look({ branch: onBranch })).nodes.find(
      (node) => node.name === next.name && !node.stub,
    );
    const [first] = there?.observations ?? [];
    switch (next.kind) {
      case 'create':
        await on.create(onBranch, next.name, [next.text], next.type);
        return;
      case 'relate':
        await on.relate(onBranch, `${next.name} to ${next.to}`);
        return;
      case 'unrelate':
        await on.unrelate(onBranch, `${next.name} to ${next.to}`);
        return;
      case 'weigh':
        await on.weigh(onBranch, `${next.name} to ${next.name}`, next.weight);
        return;
      case 'delete':
        await on.remove(onBranch, next.name);
        return;
    }
    if (there === undefined) return;
    switch (next.kind) {
      case 'observe':
        await on.observe(onBranch, next.name, next.text);
        return;
      case 'set':
        await on.set(onBranch, next.name, next.key, next.value);
        return;
      case 'tag':
        await on.change(onBranch, next.name, () => ({ tags: next.tags }));
        return;
      case 'retype':
        await on.retype(onBranch, next.name, next.type);
        return;
      case 'forget':
      case 'replace': {
        const wanted = next.kind === 'forget' ? undefined : next.text;
        if (first !== undefined) await on.replaceObservation(onBranch, next.name, first.ordinal, wanted);
      }
    }
  }

  /** Merges; conflicts are decided for one side. */
  async merge(source: string, target: string, take: ResolutionSide): Promise<void> {
    const { conflicts } = await this.on.merge(source, target, { dryRun: true });
    let undecided: readonly Conflict[] = conflicts;
    const resolutions: { id: string; take: ResolutionSide }[] = [];
    // A decision can bring up what it depends on: an edge that is kept may lack an end.
    for (let round = 0; undecided.length > 0 && round < 4; round++) {
      for (const { id } of undecided)
        if (!resolutions.some((resolution) => resolution.id === id)) resolutions.push({ id, take });
      undecided = (await this.on.merge(source, target, { dryRun: true, resolutions })).conflicts;
    }
    await this.on.merge(source, target, { resolutions });
  }

  async #step(next: Step): Promise<void> {
    const at = this.branches[next.branch % this.branches.length] ?? mainBranch;
    switch (next.kind) {
      case 'fork': {
        const name = `branch ${++this.#forks}`;
        await this.on.fork(name, at);
        this.branches.push(name);
        await this.#look(name);
        return;
      }
      case 'merge': {
        const into = this.branches[next.into % this.branches.length] ?? mainBranch;
        await this.merge(at, into, next.take === 'source' ? 'source' : 'target');
        await this.#look(into);
        return;
      }
      case 'drop':
        await unless('BRANCH_IN_USE', async () => {
          await this.on.store.deleteBranch(this.on.graph, at);
          this.branches.splice(this.branches.indexOf(at), 1);
          this.heads.delete(at);
        });
        return;
      default:
        await this.change(next, at);
        await this.#look(at);
    }
  }

  async #look(at: string): Promise<void> {
    const state = await this.on.look({ branch: at });
    this.heads.set(at, state);
    const commit = await this.on.head(at);
    if (commit !== '') this.seen.push({ commit, state });
  }
}

async function unless(code: ErrorCode, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof TrellisError && error.code === code)) throw error;
  }
}

/** What is wrong with a state in itself; an empty list means nothing. */
export function faults(on: Repository, ref: { branch?: string; commit?: string }): Promise<string[]> {
  return on.store.read({ graph: on.graph, ...ref }, async (reader) => {
    const [real, stubs, edges] = [await reader.nodes(), await reader.stubs(), await reader.edges()];
    const there = new Set([...real, ...stubs].map(({ id }) => id));
    const ends = new Set(edges.flatMap(({ from, to }) => [from, to]));
    const keys = real.map(({ type: of, name: called }) => JSON.stringify([of, called]));
    const triples = edges.map(({ from, type: of, to, key }) => JSON.stringify([from, of, to, key]));
    const observations = await reader.observations();
    return [
      ...edges.filter(({ from, to }) => !there.has(from) || !there.has(to)).map(() => 'an orphan edge'),
      ...keys.filter((key, index) => keys.indexOf(key) !== index).map((key) => `two nodes ${key}`),
      ...triples.filter((key, index) => triples.indexOf(key) !== index).map((key) => `two edges ${key}`),
      ...stubs.filter(({ id }) => !ends.has(id)).map(({ name: called }) => `an idle stub ${called}`),
      ...observations.filter(({ node }) => !there.has(node)).map(({ text: said }) => `nobody's ${said}`),
      ...real
        .filter(({ name: called }) => stubs.some((stub) => stub.name === called))
        .map(({ name: called }) => `a stub beside ${called}`),
    ];
  });
}
