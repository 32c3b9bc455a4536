/**
 * Text from the graph, always as text: its direction cannot reorder what is around it, and characters that nobody would
 * see are shown by their number.
 */
export function Text({ children }: { readonly children: string }) {
  return <bdi>{visibleText(children)}</bdi>;
}

/** U+200C and U+200D join letters and emoji, and lines and tabs are layout; all other invisible characters are named. */
const invisible = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}]/gu;

export function visibleText(text: string): string {
  return text.replaceAll(
    invisible,
    (character) => `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
}

/** A stored value in one line: text as it is, everything else as JSON. */
export function valueText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
