import { limits } from '../../model/limits.js';
import { outputLength } from '../output-length.js';
import { shortenedTextsWarning, shortenTexts } from '../shorten-texts.js';
import type { ListOutput } from './workspace-list-tool.js';

/**
 * Runs a list with fewer items until the result is short enough; shortens the texts of a single item that is still too
 * long.
 */
export async function fitList<T>(
  run: (limit: number | undefined) => Promise<ListOutput<T>>,
  limit: number | undefined,
): Promise<ListOutput<T>> {
  for (let asked = limit, wanted: number | undefined; ; ) {
    const output = await run(asked);
    const { length } = output.results;
    const load = (await outputLength(output)) / limits.answerLength;
    if (load <= 1) return wanted === undefined ? output : withWarning(output, fewerItems(output, wanted));
    if (length <= 1) {
      const shortened = await shortenTexts(output.results);
      return shortened === undefined
        ? output
        : withWarning({ ...output, results: shortened }, shortenedTextsWarning);
    }
    wanted ??= length;
    asked = Math.max(1, Math.min(length - 1, Math.floor((length * 0.9) / load)));
  }
}

function fewerItems({ results, nextCursor }: ListOutput<unknown>, wanted: number): string {
  const shown = `The result would be too long, so it has ${results.length} of ${wanted} items.`;
  return nextCursor === undefined ? shown : `${shown} Pass nextCursor as cursor to continue.`;
}

function withWarning<T>(output: ListOutput<T>, warning: string): ListOutput<T> {
  return { ...output, warnings: [...(output.warnings ?? []), warning] };
}
