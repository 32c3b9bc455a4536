import type { Provenance } from '../../model/provenance.js';
import type { ParsedNote } from '../../transfer/formats/parse-markdown-note.js';
import type { ImportedEdge, ImportItem, ImportPlace } from '../import-format.js';
import { type MarkdownBlock, markdownBlocks } from './markdown-blocks.js';
import type { NoteIndex } from './note-index.js';
import { inlineTags, noteReferences } from './note-links.js';
import { listOf, propsOf, type SourceNote, textOf } from './read-note.js';

export interface NoteContext {
  readonly name: string;
  readonly index: NoteIndex;
  readonly origin: Provenance;
  readonly dialect: NoteDialect;
}

export interface NoteDialect {
  /** Whether `- relation [[Note]] (context)` is a relation and no observation. */
  readonly relationItems: boolean;
  /** Keys of the front matter that are no properties. */
  readonly hiddenKeys: readonly string[];
  /** Headings that only group, so that they say nothing about what is below them. */
  readonly groupHeadings: readonly string[];
}

/** The node of a note, then its edges. */
export function* noteItems(note: SourceNote, context: NoteContext): Generator<ImportItem> {
  if (note.own !== undefined) yield* ownItems(note.path, note.own, context);
  else yield* foreignItems(note, context);
}

function* ownItems(file: string, own: ParsedNote, context: NoteContext): Generator<ImportItem> {
  const { name, index, origin } = context;
  const { links, edges, ...node } = own;
  const place = { file, line: 1 };
  yield { kind: 'node', ...place, ...node, name, origin };
  for (const { from = name, to = name, ...edge } of edges)
    yield { kind: 'edge', ...place, ...edge, from, to, provenance: origin };
  for (const link of links) {
    const to = index.resolve(link.file, file) ?? link.file;
    yield { kind: 'edge', ...place, from: name, type: link.type, to, provenance: origin };
  }
}

function* foreignItems(note: SourceNote, context: NoteContext): Generator<ImportItem> {
  const { path: file, front, body, line } = note;
  const { name, origin, dialect } = context;
  const place = { file, line: 1 };
  const props = propsOf(front, [...dialect.hiddenKeys, 'type', 'tags', 'tag']);
  if (props === undefined) {
    const reason = 'has front matter that cannot be stored: it contains NUL, or is nested too deeply';
    return yield { kind: 'unreadable', ...place, reason };
  }
  const edges = new NoteEdges(file, context);
  for (const [key, value] of Object.entries(props)) edges.addReferences(JSON.stringify(value), 1, key);
  const observations: string[] = [];
  const tags = new Set(listOf(front, ['tags', 'tag']));
  for (const block of markdownBlocks(body, name, line)) {
    if (dialect.relationItems && edges.addRelationItem(block)) continue;
    if (block.kind !== 'code') {
      edges.addReferences(block.text, block.line, inlineField(block.text));
      for (const tag of inlineTags(block.text)) tags.add(tag);
    }
    observations.push(observationOf(block, dialect));
  }
  const type = textOf(front, 'type') ?? 'note';
  yield { kind: 'node', ...place, name, type, props, observations, tags: [...tags], origin };
  yield* edges.all();
}

/** The key of a line such as `parent:: [[Note]]`. */
function inlineField(text: string): string | undefined {
  return /^([\p{L}][\p{L}\p{N} _-]{0,60}):: \S.*$/u.exec(text)?.[1];
}

function observationOf({ text, headings }: MarkdownBlock, { groupHeadings }: NoteDialect): string {
  const above = headings.filter((heading) => !groupHeadings.includes(heading));
  return above.length === 0 ? text : `${above.join(' > ')}: ${text}`;
}

class NoteEdges {
  readonly #file: string;
  readonly #context: NoteContext;
  readonly #edges = new Map<string, ImportedEdge>();

  constructor(file: string, context: NoteContext) {
    this.#file = file;
    this.#context = context;
  }

  addReferences(text: string, line: number, type?: string): void {
    for (const { target, embedded } of noteReferences(text))
      this.#add(target, type ?? (embedded ? 'embeds' : 'links_to'), { file: this.#file, line });
  }

  /** Reads `works_at [[Place]] (since May)`; the type is one word, or quoted. */
  addRelationItem({ kind, text, line }: MarkdownBlock): boolean {
    const found =
      /^(?:"([^"]+)"|'([^']+)'|([^\s[\]"']+)) \[\[([^[\]|]+)(?:\|[^[\]]*)?\]\](?: \((.*)\))?$/.exec(text);
    if (kind !== 'item' || found === null) return false;
    const [, double, single, word, target = '', context] = found;
    const props = context === undefined ? {} : { context };
    this.#add(target, double ?? single ?? word ?? '', { file: this.#file, line }, props);
    return true;
  }

  #add(target: string, type: string, place: ImportPlace, props = {}): void {
    const { name: from, index, origin } = this.#context;
    const to = index.resolve(target, this.#file);
    if (to === undefined || to === from || this.#edges.has(`${type}\0${to}`)) return;
    this.#edges.set(`${type}\0${to}`, { kind: 'edge', ...place, from, type, to, props, provenance: origin });
  }

  all(): Iterable<ImportedEdge> {
    return this.#edges.values();
  }
}
