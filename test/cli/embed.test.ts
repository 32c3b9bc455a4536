import { expect, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { createNodes } from '../../src/engine/write/create-nodes.js';
import { scratchStore, sqlite } from '../helpers/stores.js';
import { useSandbox } from './run-cli.js';

const sandbox = useSandbox();

test('trellis embed embeds what has no vector yet, and with --again everything', async () => {
  const scratch = await scratchStore(sqlite);
  try {
    await new Graph(scratch.store, 'default').write({ actor: 'ann', tool: 'test' }, (tx) =>
      createNodes(tx, [{ name: 'pet', type: 'animal', observations: ['the dog barked', 'it slept'] }]),
    );
    await scratch.store.close();
    const embed = (...more: string[]) => sandbox.run(['embed', '--store', scratch.path, ...more]);
    expect((await embed('--workspace', 'default')).stdout).toBe('Embedded default: 3 texts.\n');
    expect((await embed()).stdout).toBe('Embedded default: 0 texts.\n');
    expect(JSON.parse((await embed('--again', '--json')).stdout)).toMatchObject({
      model: 'local:glove-60k-100d-1',
      graphs: [{ name: 'default', embedded: 3 }],
    });
    expect((await embed('--workspace', 'nope')).code).toBe(1);
  } finally {
    await scratch.dispose();
  }
});
