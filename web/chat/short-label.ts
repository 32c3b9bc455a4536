import { visibleText } from '../parts/text.js';

/** Stored text in one line, cut if it is long. */
export function shortLabel(text: string, length: number): string {
  const letters = [...visibleText(text).replaceAll(/\s+/g, ' ')];
  return letters.length > length ? `${letters.slice(0, length - 1).join('')}…` : letters.join('');
}
