import { limits } from '../../model/limits.js';
import { answerLength } from '../answer-length.js';
import { shortenTexts, textsShortened } from '../shorten-texts.js';
import type { ListAnswer } from './list-tool.js';

/**
 * Runs a list with fewer items, until its answer is short enough; the texts of a single item that is still too long are
 * shortened. The limit that a call asked for is a bound, so that fewer items are an answer to it too.
 */
export async function fitList<T>(
  run: (limit: number | undefined) => Promise<ListAnswer<T>>,
  limit: number | undefined,
): Promise<ListAnswer<T>> {
  for (let asked = limit, wanted: number | undefined; ; ) {
    const answer = await run(asked);
    const { length } = answer.results;
    const load = (await answerLength(answer)) / limits.answerLength;
    if (load <= 1) return wanted === undefined ? answer : withWarning(answer, fewerItems(answer, wanted));
    if (length <= 1) {
      const shortened = await shortenTexts(answer.results);
      return shortened === undefined
        ? answer
        : withWarning({ ...answer, results: shortened }, textsShortened);
    }
    wanted ??= length;
    asked = Math.max(1, Math.min(length - 1, Math.floor((length * 0.9) / load)));
  }
}

function fewerItems({ results, nextCursor }: ListAnswer<unknown>, wanted: number): string {
  const shown = `The answer would be too long, so it has ${results.length} of ${wanted} items.`;
  return nextCursor === undefined ? shown : `${shown} Pass nextCursor as cursor to go on.`;
}

function withWarning<T>(answer: ListAnswer<T>, warning: string): ListAnswer<T> {
  return { ...answer, warnings: [...(answer.warnings ?? []), warning] };
}
