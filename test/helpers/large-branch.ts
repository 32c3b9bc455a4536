import { defaultGraph } from '../../src/model/graph-record.js';
import type { Store } from '../../src/store/store-contract.js';

export const author = { actor: 'ann', tool: 'test' };
export const graph = defaultGraph;
/** Enough to be prepared before the write. */
const count = 1_200;
export const schema = 'node Person { email: String @key  age: I32?  city: String? @index }';
export const email = (index: number) => `p${index}@example.org`;

/** A branch that changes everybody, adds somebody and removes somebody, beside a change on main. */
export async function fillWithLargeBranch(store: Store, graph = defaultGraph): Promise<void> {
  await store.write({ graph }, author, (writer) => writer.setSchema(schema));
  await store.write({ graph }, author, async (writer) => {
    const names = Array.from({ length: count }, (_, index) => ({ type: 'Person', name: email(index) }));
    const made = await writer.addIdentities(names);
    await writer.putNodes(
      made.map(({ node, name, type }, index) => ({
        ...{ id: node, name, type, props: { email: name, age: index % 90, city: `city ${index % 7}` } },
      })),
    );
  });
  await store.createBranch(graph, 'draft');
  await store.write({ graph, branch: 'draft' }, author, async (writer) => {
    const nodes = await writer.nodes({ limit: count });
    await writer.putNodes(
      nodes.map((node) => ({ ...node, props: { ...node.props, city: `town ${node.id % 5}` } })),
    );
    const [fresh] = await writer.addIdentities([{ type: 'Person', name: 'new@example.org' }]);
    await writer.putNodes([
      { id: fresh?.node ?? 0, type: 'Person', name: 'new@example.org', props: { email: 'new@example.org' } },
    ]);
    await writer.removeNodes([nodes[3]?.id ?? 0]);
  });
  await store.write({ graph }, author, async (writer) => {
    const [node] = await writer.nodesNamed([email(5)]);
    if (node !== undefined) await writer.putNodes([{ ...node, props: { ...node.props, age: 91 } }]);
  });
}

/** Passes everything on, except for what is given. */
export function changedStore(store: Store, other: Partial<Store>): Store {
  return new Proxy(store, {
    get: (known, name) => {
      const value = Reflect.get(name in other ? other : known, name, known);
      return typeof value === 'function' && !(name in other) ? value.bind(known) : value;
    },
  });
}
