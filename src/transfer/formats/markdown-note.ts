import { stringify } from 'yaml';
import type { DrawnNode } from './drawing-format.js';

/** An edge as the note of one of its ends shows it. */
export interface NoteLink {
  readonly type: string;
  readonly name: string;
  /** The name of the other end's file, without its extension. */
  readonly file: string;
}

export interface NoteLinks {
  readonly out: readonly NoteLink[];
  readonly in: readonly NoteLink[];
}

/** One note for one node, readable in Obsidian: properties, observations, and links in both directions. */
export function markdownNote(
  { name, type, summary, tags, props, observations }: DrawnNode,
  links: NoteLinks,
): string {
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
    section('Relations', links.out, (link) => `- ${escapeMarkdown(link.type)} → ${wikiLink(link)}\n`),
    section('Mentioned by', links.in, (link) => `- ${wikiLink(link)} → ${escapeMarkdown(link.type)}\n`),
  ];
  return sections.filter((text) => text !== '').join('\n');
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
