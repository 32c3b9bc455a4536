import { withTimeout } from '../../../bounds/with-timeout.js';
import { asEmbedderError } from '../../embedders/embedder.js';
import { type EmbedderSettings, openEmbedder } from '../../embedders/open-embedder.js';
import { matchDimensions } from './match-dimensions.js';
import { parseEmbeddedProperties } from './parse-embedded-properties.js';

/** Applying a schema does not wait longer for a model server. */
const timeoutMs = 3_000;

/** A sentence for each vector property that stays empty with these settings. */
export async function embeddingMismatches(
  source: string,
  settings: EmbedderSettings = { provider: 'local' },
): Promise<readonly string[]> {
  const asked = await parseEmbeddedProperties(source);
  if (asked.length === 0) return [];
  const check = async () => (await matchDimensions(asked, await openEmbedder(settings))).mismatches;
  try {
    return await withTimeout(check(), timeoutMs, () => [pendingMessage('it does not answer.')]);
  } catch (error) {
    return [pendingMessage(asEmbedderError(error).publicMessage)];
  }
}

function pendingMessage(reason: string): string {
  return `Vectors will be filled when the embedder is available: ${reason}`;
}
