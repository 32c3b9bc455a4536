import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startHttpServer } from '../../src/server/http/http-server.js';
import type { SurfaceSettings } from '../../src/surfaces/surface.js';
import { modelServer } from '../helpers/model-server.js';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';
import { withClient } from './helpers.js';

const unreachable = 'http://127.0.0.1:1';

describe.each(databaseKinds)('trust 25: metrics of models on $kind', (kind) => {
  let scratch: Scratch;
  beforeEach(async () => {
    scratch = await scratchStore(kind);
  });
  afterEach(() => scratch.dispose());

  /** Writes two observations through the workspace, asks for a report, and waits for the metrics to show these lines. */
  async function expectMetrics(settings: SurfaceSettings, lines: readonly string[]): Promise<void> {
    const server = await startHttpServer({
      ...{ store: scratch.store, port: 0, report: () => {}, settings: () => settings },
    });
    try {
      await withClient(`${server.url}/graphs/default/workspace/mcp`, async (client) => {
        const entities = [{ name: 'pet', entity_type: 'thing', observations: ['barks', 'bites'] }];
        await client.callTool({ name: 'create_entities', arguments: { entities } });
        await client.callTool({ name: 'get_consolidation_report', arguments: {} });
      });
      await vi.waitFor(
        async () => {
          const text = await (await fetch(`${server.url}/metrics`)).text();
          for (const line of lines) expect(text.split('\n')).toContain(line);
        },
        { timeout: 60_000, interval: 100 },
      );
    } finally {
      await server.close();
    }
  }

  test('all is embedded: full coverage, no backlog', async () => {
    const { url } = await modelServer((inputs, response) =>
      response.end(JSON.stringify({ embeddings: inputs.map((text) => [text.length, 1]) })),
    );
    await expectMetrics({ embedding: { provider: 'ollama', model: 'm', url } }, [
      'trellis_embedder_up{embedder="ollama:m"} 1',
      'trellis_embedding_coverage{graph="default"} 1',
      'trellis_embedding_backlog{graph="default"} 0',
    ]);
  });

  test('an outage of the embedder, and what waits for it', async () => {
    await expectMetrics({ embedding: { provider: 'ollama', model: 'm', url: unreachable } }, [
      'trellis_embedder_up{embedder="ollama:m"} 0',
      'trellis_embedding_coverage{graph="default"} 0',
      'trellis_embedding_backlog{graph="default"} 2',
    ]);
  });

  test('an outage of the language model', async () => {
    await expectMetrics({ llm: { provider: 'ollama', model: 'm', url: unreachable } }, [
      'trellis_language_model_up{model="ollama m"} 0',
    ]);
  });
});
