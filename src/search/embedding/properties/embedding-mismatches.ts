import { asTrellisError } from '../../../model/error.js';
import { type EmbedderSettings, openEmbedder } from '../../embedders/open-embedder.js';
import { matchDimensions } from './match-dimensions.js';
import { parseEmbeddedProperties } from './parse-embedded-properties.js';

/** Nobody who applies a schema waits longer for a model server. */
const timeoutMs = 3_000;

/** A sentence for each vector of a schema that stays empty with these settings. */
export async function embeddingMismatches(
  source: string,
  settings: EmbedderSettings = { provider: 'local' },
): Promise<readonly string[]> {
  const asked = await parseEmbeddedProperties(source);
  if (asked.length === 0) return [];
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly string[]>((resolve) => {
    timer = setTimeout(() => resolve([pendingMessage('it does not answer.')]), timeoutMs);
  });
  try {
    const fit = openEmbedder(settings).then(
      async (embedder) => (await matchDimensions(asked, embedder)).mismatches,
    );
    return await Promise.race([fit, late]);
  } catch (error) {
    return [pendingMessage(asTrellisError(error).message)];
  } finally {
    clearTimeout(timer);
  }
}

function pendingMessage(reason: string): string {
  return `Vectors are filled once the embedder can be asked: ${reason}`;
}
