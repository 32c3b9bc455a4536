import type { Author } from '../../model/commit.js';
import { TrellisError } from '../../model/error.js';
import { checkText } from '../../model/text.js';
import type { PurgeResult } from '../../store/maintenance.js';
import type { Store } from '../../store/store-contract.js';

/** Shorter texts occur in too many unrelated places. */
const minTextLength = 4;

interface PurgeRequest {
  readonly graph: string;
  readonly text: string;
  readonly author: Author;
  readonly dryRun?: boolean | undefined;
}

/**
 * Removes a text, such as a password, from every version of a graph: the only operation that rewrites history. A commit
 * records that it happened, without the text.
 */
export async function purgeText(store: Store, request: PurgeRequest): Promise<PurgeResult> {
  const { graph, text, author, dryRun = false } = request;
  checkText(text, 'The text to purge');
  if (text.length < minTextLength) {
    throw new TrellisError(
      'INVALID_ARGUMENT',
      `The text to purge must have at least ${minTextLength} characters.`,
      { hint: 'Use a longer text, so that nothing else matches.' },
    );
  }
  if (author.message?.includes(text) === true)
    throw new TrellisError('INVALID_ARGUMENT', 'The message of the commit contains the text to purge.', {
      hint: 'Nothing was done. Use another message.',
    });
  const purged = await store.purge(graph, { text, dryRun });
  const { names, nodes, observations, edges, rejections, commits, schemas } = purged;
  const found = names + nodes + observations + edges + rejections + commits + schemas;
  if (found > 0 && !dryRun) await store.write({ graph }, author, async () => {}, {});
  return purged;
}
