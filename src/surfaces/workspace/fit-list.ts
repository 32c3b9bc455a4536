import { limits } from '../../model/limits.js';
import { outputLength } from '../output-length.js';
import { shortenedTextsWarning, shortenTexts } from '../shorten-texts.js';
import type { ListOutput } from './workspace-list-tool.js';

/**
 * Runs a list with fewer items, until its answer is short enough; the texts of a single item that is still too long are
 * shortened. The limit that a call asked for is a bound, so that fewer items are an answer to it too.
 */
export async function fitList<T>(
  run: (limit: number | undefined) => Promise<ListOutput<T>>,
  limit: number | undefined,
): Promise<ListOutput<T>> {
  for (let asked = limit, wanted: number | undefined; ; ) {
    const answer = await run(asked);
    const { length } = answer.results;
    const load = (await outputLength(answer)) / limits.answerLength;
    if (load <= 1) return wanted === undefined ? answer : withWarning(answer, fewerItems(answer, wanted));
    if (length <= 1) {
      const shortened = await shortenTexts(answer.results);
      return shortened === undefined
        ? answer
        : withWarning({ ...answer, results: shortened }, shortenedTextsWarning);
    }
    wanted ??= length;
    asked = Math.max(1, Math.min(length - 1, Math.floor((length * 0.9) / load)));
  }
}

function fewerItems({ results, nextCursor }: ListOutput<unknown>, wanted: number): string {
  const shown = `The result would be too long, so it has ${results.length} of ${wanted} items.`;
  return nextCursor === undefined ? shown : `${shown} Pass nextCursor as cursor to continue.`;
}

function withWarning<T>(answer: ListOutput<T>, warning: string): ListOutput<T> {
  return { ...answer, warnings: [...(answer.warnings ?? []), warning] };
}
