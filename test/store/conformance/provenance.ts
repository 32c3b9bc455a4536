import { describe, expect, test } from 'vitest';
import type { Provenance } from '../../../src/model/provenance.js';
import type { Reader } from '../../../src/store/reader.js';
import type { StoreContext } from './context.js';
import { put } from './graph-by-name.js';

const stamp: Provenance = {
  source: 'https://example.org/☃',
  extraction_method: 'llm',
  confidence: 0.675,
  write_gate_version: '1.0.0',
  last_updated: '2026-01-01T00:00:00.000Z',
  _schema_remap_from: ':Persn',
};
const provenance: Provenance = {
  ...stamp,
  merge_keys: ['email', '__proto__'],
  properties: JSON.parse(
    JSON.stringify({ email: stamp, age: { source: 'a form', confidence: 1 } }).replace(
      '"age"',
      '"__proto__"',
    ),
  ),
};

async function stamps(reader: Reader) {
  const [node] = await reader.nodesNamed(['a']);
  const [observation] = await reader.observationsOf([node?.id ?? 0]);
  const [edge] = await reader.edges();
  // As text, since `__proto__` as a key is easily overlooked.
  return [node, observation, edge].map((thing) => JSON.stringify(thing?.provenance));
}

/** Where things came from is kept with them. */
export function provenanceConformance(context: StoreContext): void {
  const { write, read } = context;
  const stampAll = (given: Provenance | null, branch?: string) =>
    write(async (writer) => {
      const [node] = await writer.nodesNamed(['a']);
      const [observation] = await writer.observationsOf([node?.id ?? 0]);
      const [edge] = await writer.edges();
      if (node === undefined || observation === undefined || edge === undefined) throw new Error('not there');
      await writer.putNodes([{ ...node, provenance: given }]);
      await writer.putObservations([{ ...observation, provenance: given }]);
      await writer.putEdges([{ ...edge, provenance: given }]);
    }, branch);
  const make = () => write((writer) => put(writer, { nodes: { a: ['one'] }, edges: ['a to a'] }));
  const stamped = Array.from({ length: 3 }, () => JSON.stringify(provenance));
  const bare = Array.from({ length: 3 }, () => 'null');

  describe('provenance', () => {
    test('is read as it was written, that of single properties included', async () => {
      await make();
      expect(await read(stamps)).toEqual(bare);
      await stampAll(provenance);
      expect(await read(stamps)).toEqual(stamped);
    });

    test('belongs to the version it was written with', async () => {
      await make();
      const { commit } = await stampAll(provenance);
      await stampAll(null);
      expect(await read(stamps)).toEqual(bare);
      expect(await read(stamps, undefined, commit?.id)).toEqual(stamped);
    });

    test.runIf(context.kind.capabilities.branches)(
      'is inherited by branches, changed on one alone, and survives closing',
      async () => {
        await make();
        await stampAll(provenance);
        await context.store.createBranch('default', 'try');
        await stampAll(null, 'try');
        await context.store.createBranch('default', 'other');
        await context.reopen();
        expect(await read(stamps)).toEqual(stamped);
        expect(await read(stamps, 'try')).toEqual(bare);
        expect(await read(stamps, 'other')).toEqual(stamped);
      },
    );
  });
}
