import { stems } from './words.js';

/** Texts whose stems are kept: those of a few searches, which mostly look at the same ones again. */
const mostKept = 20_000;
/** A longer text is cut anew each time: a few of them would fill the memory. */
const longestKept = 1_000;
const kept = new Map<string, readonly string[]>();

/** The stems of a text, as `stems` gives them, without cutting the same text again and again. */
export function stemmed(text: string): readonly string[] {
  if (text.length > longestKept) return stems(text);
  const known = kept.get(text);
  if (known !== undefined) return known;
  if (kept.size >= mostKept) forgetOldest();
  const cut = stems(text);
  kept.set(text, cut);
  return cut;
}

function forgetOldest(): void {
  for (const text of kept.keys()) {
    kept.delete(text);
    if (kept.size <= (mostKept * 3) / 4) return;
  }
}
