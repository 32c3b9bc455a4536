import type { Violation } from '../../../src/model/violation.js';
import type { Guards, WriteGuard } from '../../../src/store/write-guard.js';

const text = { kind: 'scalar', scalar: 'String', nullable: true } as const;

/** A schema for the suite, which knows no schema language: `only a b` lets in nodes named a or b, and marks them. */
export const toyGuards: Guards = async (source) => {
  const [word, ...names] = source.split(' ');
  if (word !== 'only') throw new Error(`no schema: ${source}`);
  const guard = (): WriteGuard => {
    const put = new Map<number, string>();
    return {
      nodes: (drafts) =>
        drafts.map((draft) => {
          put.set(draft.id, draft.name);
          return { ...draft, props: { ...draft.props, held: source } };
        }),
      edges: (drafts) => drafts,
      removedNodes: (ids) => {
        for (const id of ids) put.delete(id);
      },
      removedEdges: () => {},
      violations: async () =>
        [...put.values()]
          .filter((name) => !names.includes(name))
          .map((name): Violation => {
            const node = { type: 'thing', name };
            return { kind: 'value', node, message: 'has no place here.', hint: `Use ${names.join(', ')}.` };
          }),
    };
  };
  return {
    guard,
    bringRows: async () => {},
    derived: [],
    indexed: [{ type: 'thing', property: 'held', valueType: text }],
  };
};
