/** A paragraph, a list item with what is nested in it, or a block of code. */
export interface MarkdownBlock {
  readonly kind: 'text' | 'item' | 'code';
  readonly text: string;
  /** Counted from 1. */
  readonly line: number;
  /** The headings above it, without that of the note itself. */
  readonly headings: readonly string[];
}

const heading = /^ {0,3}(#{1,6})(?:[ \t]|$)/;
const item = /^ {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]+(.*)$/;
const fence = /^ {0,3}(`{3,}|~{3,})/;
const rule = /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/;
const underline = /^ {0,3}(=+|-+)[ \t]*$/;

/** The blocks of a note in order. Not all of CommonMark: what it does not know stays text. */
export function* markdownBlocks(body: string, title: string, firstLine: number): Generator<MarkdownBlock> {
  const path: { level: number; text: string }[] = [];
  let open: { kind: MarkdownBlock['kind']; lines: string[]; line: number } | undefined;
  let closing: string | undefined;
  let blank = false;
  const take = function* (): Generator<MarkdownBlock> {
    const block = open;
    open = undefined;
    const text = block?.lines.join('\n').trim() ?? '';
    if (block !== undefined && text !== '')
      yield { kind: block.kind, text, line: block.line, headings: path.map((each) => each.text) };
  };
  const enter = (level: number, text: string) => {
    while ((path.at(-1)?.level ?? 0) >= level) path.pop();
    if (level > 1 || (text !== title && text !== '')) path.push({ level, text });
  };
  for (const [index, line] of body.split('\n').entries()) {
    const at = firstLine + index;
    if (closing !== undefined) {
      open?.lines.push(line);
      if (line.trim().startsWith(closing) && line.trim().replaceAll(closing.charAt(0), '') === '') {
        closing = undefined;
        if (open?.kind === 'code') yield* take();
      }
      continue;
    }
    if (line.trim() === '') {
      if (open?.kind === 'text') yield* take();
      blank = true;
      continue;
    }
    const [isNew, indented] = [blank, /^(\t| {2,})/.test(line)];
    blank = false;
    const found = heading.exec(line);
    const underlined = underline.exec(line);
    const bullet = item.exec(line);
    const fenced = fence.exec(line);
    if (open?.kind === 'item' && indented) open.lines.push(...(isNew ? ['', line] : [line]));
    else if (found !== null) {
      yield* take();
      enter(found[1]?.length ?? 1, headingText(line.slice(found[0].length)));
    } else if (underlined !== null && open?.kind === 'text' && open.lines.length === 1) {
      const [text = ''] = open.lines;
      open = undefined;
      enter(underlined[1]?.startsWith('=') ? 1 : 2, text.trim());
    } else if (rule.test(line)) yield* take();
    else if (fenced !== null) {
      yield* take();
      open = { kind: 'code', lines: [line], line: at };
    } else if (bullet !== null) {
      yield* take();
      open = { kind: 'item', lines: [bullet[1] ?? ''], line: at };
    } else if (open === undefined || (open.kind === 'item' && isNew)) {
      yield* take();
      open = { kind: 'text', lines: [line], line: at };
    } else open.lines.push(line);
    if (fenced !== null) closing = fenced[1];
  }
  yield* take();
}

/** Without the marks that may close a heading, as in `## Part ##`. */
function headingText(rest: string): string {
  const text = rest.trim();
  let end = text.length;
  while (text.charAt(end - 1) === '#') end -= 1;
  return end === 0 || /[ \t]/.test(text.charAt(end - 1)) ? text.slice(0, end).trimEnd() : text;
}
