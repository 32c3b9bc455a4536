import { parse } from 'yaml';
import { isRecord } from '../../model/is-record.js';
import { type Json, type Props, parseJsonOrUndefined } from '../../model/json.js';
import { isProps, isText, isTextArray, isWeight } from '../../store/jsonl/lines/line-keys.js';

/** The last line of a note that `markdownNote` wrote: what Markdown cannot say, as JSON. */
export interface NoteExtras {
  readonly name?: string;
  readonly type?: string;
  readonly summary?: string | null;
  readonly tags?: readonly string[];
  readonly props?: Props;
  readonly observations?: readonly string[];
  readonly edges?: readonly NoteEdge[];
}

/** An edge by name: to another node, or from a node that has no note. */
export interface NoteEdge {
  readonly type: string;
  readonly to?: string;
  readonly from?: string;
  readonly key?: string;
  readonly weight?: number;
  readonly props?: Props;
}

export interface ParsedNote {
  readonly name: string;
  readonly type: string;
  readonly summary: string | null;
  readonly tags: readonly string[];
  readonly props: Props;
  readonly observations: readonly string[];
  /** The file that a line of the section Relations links to. */
  readonly links: readonly { readonly type: string; readonly file: string }[];
  readonly edges: readonly NoteEdge[];
}

const marker = /\n<!-- trellis(?: (\{.*\}))? -->\s*$/;

/** Undefined if `markdownNote` did not write it. */
export function parseMarkdownNote(text: string): ParsedNote | undefined {
  const found = marker.exec(text);
  if (found === null) return undefined;
  const { front, body } = splitFrontMatter(text.slice(0, found.index + 1));
  const extras = parseExtras(found[1]);
  const { type, tags, ...props } = readFrontMatter(front);
  const { edges = [], ...rest } = extras;
  return {
    type: typeof type === 'string' ? type : '',
    tags: isTextArray(tags) ? tags : [],
    props: isProps(props) ? props : {},
    ...parseBody(body),
    ...rest,
    edges,
  };
}

const frontMatter = /^---[ \t]*\n([\s\S]*?)(?:^|\n)---[ \t]*(?:\n|$)/m;

export function splitFrontMatter(text: string): {
  readonly front: string;
  readonly body: string;
  readonly line: number;
} {
  const found = text.startsWith('---') ? frontMatter.exec(text) : null;
  if (found === null || found.index !== 0) return { front: '', body: text, line: 1 };
  const all = found[0];
  return { front: found[1] ?? '', body: text.slice(all.length), line: all.split('\n').length };
}

function readFrontMatter(front: string): Readonly<Record<string, unknown>> {
  const value: unknown = front === '' ? {} : parse(front);
  return isRecord(value) ? value : {};
}

function parseBody(body: string): Pick<ParsedNote, 'name' | 'summary' | 'observations' | 'links'> {
  let name = '';
  const summary: string[] = [];
  const observations: string[][] = [];
  const links: { type: string; file: string }[] = [];
  let section = '';
  for (const line of body.split('\n')) {
    if (line.startsWith('## ')) section = line.slice('## '.length);
    else if (section === 'Relations') {
      const link = parseRelation(line);
      if (link !== undefined) links.push(link);
    } else if (section !== '') continue;
    else if (line.startsWith('# ')) name = unescapeMarkdown(line.slice('# '.length));
    else if (line.startsWith('- ')) observations.push([line.slice('- '.length)]);
    else if (observations.length === 0) summary.push(line);
    else if (line.startsWith('  ')) observations.at(-1)?.push(line.slice('  '.length));
  }
  // A blank line before and after the summary is layout.
  const first = Math.max(
    0,
    summary.findIndex((line) => line !== ''),
  );
  const text = summary.slice(first, summary.findLastIndex((line) => line !== '') + 1).join('\n');
  return {
    name,
    summary: text === '' ? null : unescapeMarkdown(text),
    observations: observations.map((lines) => unescapeMarkdown(lines.join('\n'))),
    links,
  };
}

/** Reads `- works_on → [[file|name]]`. */
export function parseRelation(line: string): { readonly type: string; readonly file: string } | undefined {
  const found = /^- (.*) → \[\[([^[\]|#^]+)(?:\|[^[\]]*)?\]\]$/.exec(line);
  return found === null ? undefined : { type: unescapeMarkdown(found[1] ?? ''), file: found[2] ?? '' };
}

function unescapeMarkdown(text: string): string {
  return text.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1');
}

function parseExtras(json: string | undefined): NoteExtras {
  const value = json === undefined ? {} : parseJsonOrUndefined(json);
  if (!isRecord(value)) return {};
  const { name, type, summary, tags, props, observations, edges } = value;
  return {
    ...(isText(name) ? { name } : {}),
    ...(isText(type) ? { type } : {}),
    ...(isText(summary) || summary === null ? { summary } : {}),
    ...(isTextArray(tags) ? { tags } : {}),
    ...(isProps(props) ? { props } : {}),
    ...(isTextArray(observations) ? { observations } : {}),
    ...(Array.isArray(edges) ? { edges: edges.flatMap(parseEdge) } : {}),
  };
}

function parseEdge(value: unknown): NoteEdge[] {
  if (!isRecord(value)) return [];
  const { type, to, from, key, weight, props } = value;
  if (!isText(type) || isText(to) === isText(from)) return [];
  return [
    {
      type,
      ...(isText(to) ? { to } : {}),
      ...(isText(from) ? { from } : {}),
      ...(isText(key) ? { key } : {}),
      ...(isWeight(weight) ? { weight } : {}),
      ...(isProps(props) ? { props } : {}),
    },
  ];
}

/** One line that no HTML parser takes for the end of the comment. */
export function noteMarker(extras: Readonly<Record<string, Json>>): string {
  if (Object.keys(extras).length === 0) return '<!-- trellis -->\n';
  return `<!-- trellis ${JSON.stringify(extras).replaceAll(/[<>\u2028\u2029\u0085]|--/g, escapeJson)} -->\n`;
}

function escapeJson(characters: string): string {
  return [...characters].map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
}
