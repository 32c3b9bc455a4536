import type { z } from 'zod';
import { TrellisError } from '../../model/error.js';
import { parseJsonOrUndefined } from '../../model/json.js';
import type { peopleNodeOutput } from '../../surfaces/graph/people/people-node.js';
import { decodeText, encodeName, encodeText } from './document-text.js';

export type PeopleNode = z.output<typeof peopleNodeOutput>;

/** A node as a text that people edit. */
export interface NodeDocument {
  readonly name: string;
  readonly type: string;
  readonly summary?: string;
  readonly tags: readonly string[];
  readonly properties: ReadonlyMap<string, unknown>;
  /** By ordinal. */
  readonly observations: ReadonlyMap<number, string>;
  readonly newObservations: readonly string[];
  /** One line each. */
  readonly relations: readonly string[];
}

const instructions = `# Change what is wrong, save, and close the editor. Delete a line to delete what it says.
# A new observation starts with +, a line that continues a text with |, a comment with #.
# A new relation is TYPE -> NAME. Save an unchanged text to change nothing.
`;

export function printDocument({ node, edges }: PeopleNode): string {
  const { name, type, summary, tags = [], props = {}, observations } = node;
  return [
    instructions,
    `name: ${encodeText(name)}`,
    `type: ${encodeText(type)}`,
    ...(summary === undefined ? ['summary:'] : [`summary: ${encodeText(summary)}`]),
    `tags: ${tags.map(encodeName).join(', ')}`.trimEnd(),
    '\nproperties:',
    ...Object.entries(props).map(([key, value]) => `  ${encodeName(key)}: ${encodeValue(value)}`),
    '\nobservations:',
    ...observations.map(({ ordinal, text }) => `  ${ordinal}. ${encodeText(text, '  ')}`),
    '\nrelations:',
    ...edges.out.map((edge) => `  ${relationLine(edge)}`),
    ...(edges.in.length === 0 ? [] : ['\n# Relations to it belong to their other end:']),
    ...edges.in.map((edge) => `#   ${encodeName(edge.type)} <- ${encodeName(edge.from.name)}`),
    '',
  ].join('\n');
}

export function relationLine({ type, to, key }: PeopleNode['edges']['out'][number]): string {
  const end = key === undefined ? '' : ` [${encodeName(key)}]`;
  return `${encodeName(type)} -> ${encodeName(to.name)} (${encodeName(to.type)})${end}`;
}

/** A text that would be read as JSON is written as JSON. */
function encodeValue(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return parseJsonOrUndefined(value) === undefined ? encodeText(value, '  ') : JSON.stringify(value);
}

interface DocumentLine {
  readonly number: number;
  readonly section: string;
  readonly text: string;
}

/** Throws `INVALID_ARGUMENT` with the number of the line. */
export function parseDocument(text: string): NodeDocument {
  const fields = new Map<string, string>();
  const properties = new Map<string, unknown>();
  const observations = new Map<number, string>();
  const newObservations: string[] = [];
  const relations: string[] = [];
  for (const line of documentLines(text)) {
    if (line.section === 'relations') relations.push(line.text);
    else if (line.section === 'observations') {
      const [, ordinal, content = ''] = /^(?:(\d{1,9})\.|\+)\s*(.*)$/s.exec(line.text) ?? [];
      if (!/^[\d+]/.test(line.text) || content === '')
        throw wrongLine(
          line,
          'An observation starts with its number, as in 1. text, or with + if it is new.',
        );
      if (ordinal === undefined) newObservations.push(decode(line, content));
      else setOnce(observations, Number(ordinal), decode(line, content), line);
    } else {
      const [, key = '', value = ''] = /^("(?:[^"\\]|\\.)*"|[^:]+):\s*(.*)$/s.exec(line.text) ?? [];
      if (key === '') throw wrongLine(line, 'Write it as name: value.');
      if (line.section === 'properties')
        setOnce(properties, decode(line, key), decodeValue(line, value), line);
      else if (fieldNames.includes(key))
        setOnce(fields, key, value === '' ? '' : key === 'tags' ? value : decode(line, value), line);
      else throw wrongLine(line, `There is no field ${key}. Use ${fieldNames.join(', ')} or a section.`);
    }
  }
  const { name = '', type = '', summary = '', tags = '' } = Object.fromEntries(fields);
  if (name === '' || type === '')
    throw new TrellisError('INVALID_ARGUMENT', 'The text has no name: or no type:.', {
      hint: 'Every node has both.',
    });
  return {
    ...{ name, type, ...(summary === '' ? {} : { summary }), tags: parseTags(tags) },
    ...{ properties, observations, newObservations, relations },
  };
}

const fieldNames: readonly string[] = ['name', 'type', 'summary', 'tags'];
const sectionPattern = /^(properties|observations|relations):\s*$/;

/** Joins the lines of a text, and drops comments. */
function documentLines(text: string): DocumentLine[] {
  const lines: DocumentLine[] = [];
  let section = '';
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const number = index + 1;
    const line = raw.trim();
    const last = lines.at(-1);
    const heading = sectionPattern.exec(raw)?.[1];
    if (line === '' || line.startsWith('#')) continue;
    if (heading !== undefined) section = heading;
    else if (!line.startsWith('|')) lines.push({ number, section, text: line });
    else if (last === undefined || last.section !== section)
      throw wrongLine({ number, section, text: line }, 'There is no text before it that | could continue.');
    else lines[lines.length - 1] = { ...last, text: `${last.text}\n${raw.trim().replace(/^\| ?/, '')}` };
  }
  return lines;
}

function decode(line: DocumentLine, text: string): string {
  return decodeText(text) ?? fail(wrongLine(line, 'A text that starts with " must be a JSON string.'));
}

function decodeValue(line: DocumentLine, text: string): unknown {
  return parseJsonOrUndefined(text) ?? (text === 'null' ? null : decode(line, text));
}

function parseTags(text: string): string[] {
  return [...text.matchAll(/\s*("(?:[^"\\]|\\.)*"|[^,]+)/g)]
    .map(([, tag = '']) => decodeText(tag.trim()) ?? tag.trim())
    .filter((tag) => tag !== '');
}

function setOnce<K, V>(map: Map<K, V>, key: K, value: V, line: DocumentLine): void {
  if (map.has(key)) throw wrongLine(line, `${String(key)} occurs twice.`);
  map.set(key, value);
}

function fail(error: Error): never {
  throw error;
}

function wrongLine({ number }: DocumentLine, hint: string): TrellisError {
  return new TrellisError('INVALID_ARGUMENT', `Line ${number} cannot be read.`, { hint });
}
