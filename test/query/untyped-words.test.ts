import { expect, test } from 'vitest';
import type { Json } from '../../src/model/json.js';
import type { TextCondition } from '../../src/store/row-query.js';
import { databaseKinds, scratchStore } from '../helpers/stores.js';
import { block, node, own, prop, query } from './build.js';
import { evaluate } from './naive/evaluate.js';
import { naiveGraph } from './naive/graph.js';
import { write } from './people.js';

const notes: readonly Json[] = [
  ...['tea', 'a\ntea', 'steal', ['x', 'a\ntea'], ['\ttea and\tcake'], ['no', 7], 7, null, { tea: 'tea' }],
  ...[['\u0001tea'], '[tea]', 'cake'],
];

test.each(databaseKinds)(
  'words of a property without a type are found in texts and lists, on $kind',
  async (kind) => {
    const scratch = await scratchStore(kind);
    try {
      await write(
        scratch.store,
        notes.map((note, index) => ({
          ...{ type: 'Person', name: `p${index}`, props: { note } },
          ...(index === 11 ? { provenance: { merge_keys: ['note'] } } : {}),
        })),
      );
      await scratch.store.read({ graph: 'default' }, async (reader) => {
        const naive = await naiveGraph(reader);
        for (const text of ['tea', 'cake', 'tea cake', 'ntea', 'none']) {
          const operand = { ...prop('p.note', 'String'), type: null };
          const kinds = ['search', 'match_text'] as const;
          for (const condition of kinds.map(
            (kind): TextCondition => ({ kind, operand, text, edits: null }),
          )) {
            const asked = query(block([node('p', 'Person')], { conditions: [condition] }), [own('p.id')]);
            const { rows } = await reader.query(asked);
            expect(rows, `${condition.kind} ${text}`).toEqual(evaluate(naive, asked));
          }
        }
      });
    } finally {
      await scratch.dispose();
    }
  },
);
