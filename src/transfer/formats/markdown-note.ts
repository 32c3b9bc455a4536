import { stringify } from 'yaml';
import { defaultWeight } from '../../model/edge.js';
import { canonicalJson, type Json, type Props } from '../../model/json.js';
import type { DrawnNode } from './drawing-format.js';
import { noteMarker, type ParsedNote, parseMarkdownNote, parseRelation } from './parse-markdown-note.js';

/** An edge as the note of one of its ends shows it. */
export interface NoteLink {
  readonly type: string;
  readonly name: string;
  /** The name of the other end's file, without its extension. */
  readonly file: string;
  /** Whether the other end has no note, only a name. */
  readonly stub?: boolean;
  readonly key?: string;
  readonly weight?: number;
  readonly props?: Props;
}

export interface NoteLinks {
  readonly out: readonly NoteLink[];
  readonly in: readonly NoteLink[];
}

/**
 * One note for one node, readable in Obsidian: properties, observations, and links in both directions. Its last line is a
 * comment with what Markdown cannot say, so that `parseMarkdownNote` reads back exactly this node and these edges.
 */
export function markdownNote(node: DrawnNode, links: NoteLinks): string {
  const note = printNote(node, { out: links.out.filter(isReadable), in: links.in });
  const parsed = parseMarkdownNote(`${note}\n${noteMarker({})}`);
  const edges = [
    ...links.out.filter((link) => !isPlain(link)).map((link) => edgeExtra(link, 'to')),
    ...links.in.filter(({ stub }) => stub).map((link) => edgeExtra(link, 'from')),
  ];
  return `${note}\n${noteMarker({ ...unsaid(node, parsed), ...(edges.length === 0 ? {} : { edges }) })}`;
}

/** The fields that are not read back as they are. */
function unsaid(node: DrawnNode, parsed: ParsedNote | undefined): Record<string, Json> {
  const { name, type, summary, tags, props, observations } = node;
  const fields = { name, type, summary, tags: [...tags], props, observations: [...observations] };
  const read = new Map<string, unknown>(Object.entries(parsed ?? {}));
  return Object.fromEntries(
    Object.entries(fields).filter(([key, value]) => canonicalJson(value) !== canonicalJson(read.get(key))),
  );
}

/** Whether its line reads back as an edge between the same nodes. */
function isReadable(link: NoteLink): boolean {
  const { type, name, file, key = '', stub = false } = link;
  if (key !== '' || (stub && (file !== name || /\.(md|markdown)$/i.test(name)))) return false;
  const read = parseRelation(relationLine(link).trimEnd());
  return read?.type === type && read.file === file;
}

function isPlain(link: NoteLink): boolean {
  const { weight = defaultWeight, props = {} } = link;
  return isReadable(link) && weight === defaultWeight && Object.keys(props).length === 0;
}

function edgeExtra(link: NoteLink, end: 'from' | 'to'): { readonly [key: string]: Json } {
  const { type, name, key = '', weight = defaultWeight, props = {} } = link;
  return {
    type,
    [end]: name,
    ...(key === '' ? {} : { key }),
    ...(weight === defaultWeight ? {} : { weight }),
    ...(Object.keys(props).length === 0 ? {} : { props }),
  };
}

function printNote({ name, type, summary, tags, props, observations }: DrawnNode, links: NoteLinks): string {
  const properties = {
    ...props,
    ...(type === '' ? {} : { type }),
    ...(tags.length === 0 ? {} : { tags: [...tags] }),
  };
  const sections = [
    Object.keys(properties).length === 0 ? '' : `---\n${stringify(properties)}---\n`,
    `# ${escapeMarkdown(name)}\n`,
    summary === null ? '' : `${escapeMarkdown(summary)}\n`,
    observations.map((text) => `- ${escapeMarkdown(text, '  ')}\n`).join(''),
    section('Relations', links.out, relationLine),
    section('Mentioned by', links.in, (link) => `- ${wikiLink(link)} → ${escapeMarkdown(link.type)}\n`),
  ];
  return sections.filter((text) => text !== '').join('\n');
}

function relationLine(link: NoteLink): string {
  return `- ${escapeMarkdown(link.type)} → ${wikiLink(link)}\n`;
}

function section(title: string, links: readonly NoteLink[], line: (link: NoteLink) => string): string {
  return links.length === 0 ? '' : `## ${title}\n\n${links.map(line).join('')}`;
}

function wikiLink({ file, name }: NoteLink): string {
  const shown = name.replaceAll(/[[\]|\p{Cc}]/gu, ' ').trim();
  return shown === '' || shown === file ? `[[${file}]]` : `[[${file}|${shown}]]`;
}

/** Text stays text: nothing in it becomes a link, a heading, a tag, HTML or code. Further lines are indented. */
function escapeMarkdown(text: string, indent = ''): string {
  return text
    .replaceAll(/[\\`*[\]<>|~$]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|#(?=\S)/gu, '\\$&')
    .split(/\r\n?|\n/)
    .map((line) =>
      line.replace(/^(\s*)([#+=-]|\d+(?=[.)]))/, (_, space: string, mark: string) =>
        /^\d/.test(mark) ? `${space}${mark}\\` : `${space}\\${mark}`,
      ),
    )
    .join(`\n${indent}`);
}

const reserved = /^(con|prn|aux|nul|com\d|lpt\d)$/i;
const maxBytes = 150;

/** Gives each node a file name that every system accepts and that no other node has, whatever the case of letters. */
export class NoteNames {
  readonly #taken = new Set<string>();

  nameFor(name: string): string {
    const base = fileName(name);
    for (let copy = 1; ; copy++) {
      const candidate = copy === 1 ? base : `${base} (${copy})`;
      const key = candidate.normalize('NFC').toLowerCase();
      if (this.#taken.has(key)) continue;
      this.#taken.add(key);
      return candidate;
    }
  }
}

function fileName(name: string): string {
  const clean = name
    .replaceAll(/[\\/:*?"<>|#^[\]\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '-')
    .replaceAll(/^[.\s]+|[.\s]+$/g, '');
  let short = '';
  for (const character of clean) {
    if (Buffer.byteLength(short + character) > maxBytes) break;
    short += character;
  }
  short = short.trimEnd();
  return short === '' || reserved.test(short) ? `note ${short}`.trimEnd() : short;
}
