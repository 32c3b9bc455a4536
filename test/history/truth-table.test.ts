import { beforeEach, describe, expect, test } from 'vitest';
import { databaseKinds } from '../helpers/stores.js';
import { Repository } from './repository.js';

/** What one side does; the base is `a(color="red") b | a knows b`. */
const actions = {
  nothing: async () => {},
  'add node': (on, branch) => on.create(branch, 'new', [branch]),
  'remove node': (on, branch) => on.remove(branch, 'b'),
  'add edge': (on, branch) => on.relate(branch, 'b likes a'),
  'remove edge': (on, branch) => on.unrelate(branch, 'a knows b'),
  'set property': (on, branch) => on.set(branch, 'a', 'color', branch),
  'net-zero edge': async (on, branch) => {
    await on.relate(branch, 'b owns a');
    await on.unrelate(branch, 'b owns a');
  },
} satisfies Record<string, (on: Repository, branch: string) => Promise<unknown>>;

type Action = keyof typeof actions;
const names = Object.keys(actions) as Action[];

/** What becomes of it: the outcome or the kind of conflict, and the graph on main afterwards. */
type Cell = readonly [outcome: string, graph: string];

const up = 'already_up_to_date';
const forward = 'fast_forward';
const merged = 'merged';
const red = 'a(color="red")';
const byTry = 'a(color="try")';
const byMain = 'a(color="main")';

/** By what main did, then by what the branch did, in the order of the actions. */
const table: Record<Action, readonly Cell[]> = {
  nothing: [
    [up, `${red} b | a knows b`],
    [forward, `${red} b new[try] | a knows b`],
    [forward, `${red} | `],
    [forward, `${red} b | a knows b, b likes a`],
    [forward, `${red} b | `],
    [forward, `${byTry} b | a knows b`],
    [forward, `${red} b | a knows b`],
  ],
  'add node': [
    [up, `${red} b new[main] | a knows b`],
    [merged, `${red} b new[main,try] | a knows b`],
    [merged, `${red} new[main] | `],
    [merged, `${red} b new[main] | a knows b, b likes a`],
    [merged, `${red} b new[main] | `],
    [merged, `${byTry} b new[main] | a knows b`],
    [merged, `${red} b new[main] | a knows b`],
  ],
  'remove node': [
    [up, `${red} | `],
    [merged, `${red} new[try] | `],
    [merged, `${red} | `],
    ['orphan_edge', `${red} | `],
    [merged, `${red} | `],
    [merged, `${byTry} | `],
    [merged, `${red} | `],
  ],
  'add edge': [
    [up, `${red} b | a knows b, b likes a`],
    [merged, `${red} b new[try] | a knows b, b likes a`],
    ['orphan_edge', `${red} b | a knows b, b likes a`],
    [merged, `${red} b | a knows b, b likes a`],
    [merged, `${red} b | b likes a`],
    [merged, `${byTry} b | a knows b, b likes a`],
    [merged, `${red} b | a knows b, b likes a`],
  ],
  'remove edge': [
    [up, `${red} b | `],
    [merged, `${red} b new[try] | `],
    [merged, `${red} | `],
    [merged, `${red} b | b likes a`],
    [merged, `${red} b | `],
    [merged, `${byTry} b | `],
    [merged, `${red} b | `],
  ],
  'set property': [
    [up, `${byMain} b | a knows b`],
    [merged, `${byMain} b new[try] | a knows b`],
    [merged, `${byMain} | `],
    [merged, `${byMain} b | a knows b, b likes a`],
    [merged, `${byMain} b | `],
    ['divergent_update', `${byMain} b | a knows b`],
    [merged, `${byMain} b | a knows b`],
  ],
  'net-zero edge': [
    [up, `${red} b | a knows b`],
    [merged, `${red} b new[try] | a knows b`],
    [merged, `${red} | `],
    [merged, `${red} b | a knows b, b likes a`],
    [merged, `${red} b | `],
    [merged, `${byTry} b | a knows b`],
    [merged, `${red} b | a knows b`],
  ],
};

describe.each(databaseKinds)('the truth table of merges on $kind', (kind) => {
  const newRepository = Repository.forSuite(kind);
  let on: Repository;
  beforeEach(async () => {
    on = await newRepository();
    await on.create('main', 'a');
    await on.set('main', 'a', 'color', 'red');
    await on.create('main', 'b');
    await on.relate('main', 'a knows b');
    await on.fork('try');
  });

  const cells = names.flatMap((onMain) =>
    names.map((onTry, column) => {
      const [outcome, graph] = table[onMain][column] ?? ['', ''];
      return { onMain, onTry, outcome, graph };
    }),
  );

  test.each(cells)('main: $onMain, branch: $onTry → $outcome', async ({ onMain, onTry, outcome, graph }) => {
    await actions[onMain](on, 'main');
    await actions[onTry](on, 'try');
    const [before, source] = [await on.head(), await on.brief('try')];
    const preview = await on.merge('try', 'main', { dryRun: true });
    expect(await on.head()).toBe(before);
    if ([up, forward, merged].includes(outcome)) {
      const report = await on.merge('try');
      expect([report.outcome, preview.outcome]).toEqual([outcome, outcome]);
      expect([preview.conflicts, report.changes]).toEqual([[], preview.changes]);
      expect(report.commit?.mergedParent ?? null).toBe(outcome === up ? null : await on.head('try'));
      expect(await on.head()).toBe(report.commit?.id ?? before);
      expect((await on.merge('try')).outcome).toBe(up);
    } else {
      await expect(on.merge('try')).rejects.toMatchObject({
        code: 'MERGE_CONFLICT',
        details: { conflicts: [{ kind: outcome }] },
      });
      expect(preview.conflicts.map((conflict) => conflict.kind)).toEqual([outcome]);
      expect(await on.head()).toBe(before);
    }
    expect(await on.brief()).toBe(graph);
    expect(await on.brief('try')).toBe(source);
  });
});
