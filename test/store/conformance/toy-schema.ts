import type { Violation } from '../../../src/model/violation.js';
import type { CompiledGraphSchema, WriteValidator } from '../../../src/store/write-validator.js';

const text = { kind: 'scalar', scalar: 'String', nullable: true } as const;

/** A schema for the suite, which knows no schema language: `only a b` lets in nodes named a or b, and marks them. */
export async function compileToySchema(source: string): Promise<CompiledGraphSchema> {
  const [word, ...names] = source.split(' ');
  if (word !== 'only') throw new Error(`no schema: ${source}`);
  const newValidator = (): WriteValidator => {
    const put = new Map<number, string>();
    const validateNodes: WriteValidator['validateNodes'] = (drafts) =>
      drafts.map((draft) => ({
        ...{ draft: { ...draft, props: { ...draft.props, held: source } }, violations: [], old: undefined },
      }));
    const nodesPut: WriteValidator['nodesPut'] = (nodes) => {
      for (const { draft } of nodes) put.set(draft.id, draft.name);
    };
    return {
      validateNodes,
      nodesPut,
      prepareNodes: (drafts, before) => {
        const nodes = validateNodes(drafts, before);
        nodesPut(nodes);
        return nodes.map(({ draft }) => draft);
      },
      nodesKnown: () => {},
      prepareEdges: (drafts) => drafts,
      nodesRemoved: (ids) => {
        for (const id of ids) put.delete(id);
      },
      edgesRemoved: () => {},
      settle: async () => {},
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
    newValidator,
    migrateRows: async () => {},
    derivedProperties: [],
    indexedProperties: [{ type: 'thing', property: 'held', valueType: text }],
  };
}
