export interface NoteReference {
  /** As the link says it. */
  readonly target: string;
  readonly embedded: boolean;
}

/** Bounded, and without brackets inside, so that a note full of brackets takes no longer than another. */
const wikiLink = /(!?)\[\[([^[\]\n|#^]{1,1000})(?:[#^][^[\]\n|]{0,1000})?(?:\|[^[\]\n]{0,1000})?\]\]/g;
const inlineLink =
  /(!?)\[[^[\]\n]{0,1000}\]\(<?([^()\s<>[\]]{1,1000})>?(?:[ \t]{1,10}["'][^()\n]{0,1000})?\)/g;
const code = /(`{1,10})[^`]*?\1/g;

/** The notes that a text links to: `[[Note#part|shown]]`, `![[Note]]` and `[shown](folder/Note.md)`. */
export function* noteReferences(text: string): Generator<NoteReference> {
  const prose = text.replaceAll(code, '');
  for (const [, mark, target = ''] of prose.matchAll(wikiLink))
    if (target.trim() !== '') yield { target, embedded: mark === '!' };
  for (const [, mark, address = ''] of prose.matchAll(inlineLink)) {
    const target = decode(address.replace(/[#?].*$/, ''));
    if (/\.(md|markdown)$/i.test(target) && !/^[a-z][a-z0-9+.-]*:/i.test(target))
      yield { target, embedded: mark === '!' };
  }
}

function decode(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

/** Words such as `#idea` or `#work/plan`; a number alone is none. */
export function inlineTags(text: string): string[] {
  const found = text
    .replaceAll(code, '')
    .matchAll(/(?<=^|\s)#([\p{L}\p{N}_/-]*[\p{L}_/-][\p{L}\p{N}_/-]*)/gu);
  return [...found].map(([, tag = '']) => tag);
}
