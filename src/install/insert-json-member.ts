import { createScanner, findNodeAtLocation, type JSONPath, type Node } from 'jsonc-parser';

/** Kinds of tokens, which the parser declares in a way that single modules cannot import. */
const tokens = { comma: 5, lineComment: 12, blockComment: 13, end: 17 };

export interface JsonLayout {
  readonly indent: string;
  readonly eol: string;
}

export interface JsonMember {
  readonly name: string;
  readonly value: unknown;
  /** How deep it is: 1 for a member of the document. */
  readonly depth: number;
}

/** As the file is indented; two spaces if it is not. */
export function jsonLayout(text: string): JsonLayout {
  return {
    indent: /^[{[][^\S\n]*(?:\/\/.*)?\r?\n([ \t]+)\S/m.exec(text)?.[1] ?? '  ',
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
}

/** A value whose first line is already indented. */
export function jsonAt(value: unknown, depth: number, { indent, eol }: JsonLayout): string {
  return JSON.stringify(value, null, indent).replaceAll('\n', eol + indent.repeat(depth));
}

/** Adds a last member to an object; commas, comments and layout of the others stay. */
export function insertMember(text: string, object: Node, { name, value, depth }: JsonMember): string {
  const layout = jsonLayout(text);
  const { indent, eol } = layout;
  const member = `${eol}${indent.repeat(depth)}${JSON.stringify(name)}: ${jsonAt(value, depth, layout)}`;
  const last = object.children?.at(-1);
  const closing = object.offset + object.length - 1;
  if (last === undefined) {
    const inside = text.slice(object.offset + 1, closing).trimEnd();
    return `${text.slice(0, object.offset + 1)}${inside}${member}${eol}${indent.repeat(depth - 1)}${text.slice(closing)}`;
  }
  const end = last.offset + last.length;
  const comma = commaAfter(text, end);
  const at = afterComments(text, comma ?? end, closing);
  const before = comma === undefined ? `${text.slice(0, end)},${text.slice(end, at)}` : text.slice(0, at);
  const isOnOneLine = !text.slice(object.offset, closing).includes('\n');
  const tail = isOnOneLine ? eol + indent.repeat(depth - 1) + text.slice(at).trimStart() : text.slice(at);
  return `${before}${member}${comma === undefined ? '' : ','}${tail}`;
}

/** Removes a member or an item with its comma; comments before and behind it stay. */
export function cutMember(text: string, root: Node, path: JSONPath): string {
  const value = findNodeAtLocation(root, path);
  const cut = value?.parent?.type === 'property' ? value.parent : value;
  if (cut === undefined) return text;
  const siblings = cut.parent?.children ?? [];
  const previous = siblings[siblings.indexOf(cut) - 1];
  const end = cut.offset + cut.length;
  const comma = commaAfter(text, end);
  const rest = text.slice(comma ?? end);
  // What follows must not become a part of a comment before.
  const start = /^[^\S\n]*\n/.test(rest) ? text.slice(0, cut.offset).trimEnd().length : cut.offset;
  const before = previous === undefined ? undefined : commaAfter(text, previous.offset + previous.length);
  if (comma !== undefined || before === undefined) return text.slice(0, start) + rest;
  return text.slice(0, before - 1) + text.slice(before, Math.max(start, before)) + rest;
}

/** Where a trailing comma ends. */
function commaAfter(text: string, offset: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  return Number(scanner.scan()) === tokens.comma
    ? scanner.getTokenOffset() + scanner.getTokenLength()
    : undefined;
}

/** Behind the comments that follow, and before the white space behind the last of them. */
function afterComments(text: string, offset: number, closing: number): number {
  const scanner = createScanner(text, false);
  scanner.setPosition(offset);
  let end = offset;
  for (;;) {
    const token = Number(scanner.scan());
    if (scanner.getTokenOffset() >= closing || token === tokens.end) return end;
    const isComment = token === tokens.lineComment || token === tokens.blockComment;
    if (isComment) end = scanner.getTokenOffset() + scanner.getTokenLength();
  }
}
