import { asTrellisError } from '../../../model/error.js';
import { type EmbedderSettings, openEmbedder } from '../../embedders/open-embedder.js';
import { embeddedBy } from './embedded-by.js';
import { fitOf } from './misfits.js';

/** Nobody who applies a schema waits longer for a model server. */
const patience = 3_000;

/** A sentence for each vector of a schema that stays empty with these settings. */
export async function embeddingMisfits(
  source: string,
  settings: EmbedderSettings = { provider: 'local' },
): Promise<readonly string[]> {
  const asked = await embeddedBy(source);
  if (asked.length === 0) return [];
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly string[]>((resolve) => {
    timer = setTimeout(() => resolve([waiting('it does not answer.')]), patience);
  });
  try {
    const fit = openEmbedder(settings).then(async (embedder) => (await fitOf(asked, embedder)).misfits);
    return await Promise.race([fit, late]);
  } catch (error) {
    return [waiting(asTrellisError(error).message)];
  } finally {
    clearTimeout(timer);
  }
}

function waiting(reason: string): string {
  return `Vectors are filled once the embedder can be asked: ${reason}`;
}
