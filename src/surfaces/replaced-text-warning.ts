import type { FittedPage } from '../engine/read/fit/fit-page.js';
import type { Node } from '../model/node.js';
import { listNames } from '../model/quoting.js';
import type { Reader } from '../store/reader.js';

/** A page that says of which of its nodes characters are shown as U+FFFD because they cannot be stored. */
export function withReplacedTextWarning<N extends { readonly node: Node }>(
  { replacedIn }: Reader,
  page: FittedPage<N>,
): FittedPage<N> {
  if (replacedIn.size === 0) return page;
  const names = page.nodes.map(({ node }) => node.name).filter((name) => replacedIn.has(name));
  if (names.length === 0) return page;
  const warning =
    `Texts of ${listNames(names)} contain characters that are not valid text (NUL or half of a surrogate pair), shown as U+FFFD. ` +
    'The file keeps them as they are until the text is deleted or replaced.';
  return { ...page, warnings: [...page.warnings, warning] };
}
