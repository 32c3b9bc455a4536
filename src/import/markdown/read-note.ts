import { LineCounter, parseDocument } from 'yaml';
import { isRecord } from '../../model/is-record.js';
import type { Props } from '../../model/json.js';
import { isProps } from '../../store/jsonl/lines/line-keys.js';
import {
  type ParsedNote,
  parseMarkdownNote,
  splitFrontMatter,
} from '../../transfer/formats/parse-markdown-note.js';

/** A note before its links are resolved. */
export interface SourceNote {
  /** From the folder. */
  readonly path: string;
  readonly front: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** Where the body begins. */
  readonly line: number;
  /** If Trellis wrote it. */
  readonly own: ParsedNote | undefined;
}

export interface NoteProblem {
  readonly line: number;
  readonly problem: string;
}

const maxFrontMatter = 262_144;

export function parseSourceNote(path: string, content: string): SourceNote | NoteProblem {
  const text = content.replace(/^\ufeff/, '').replaceAll(/\r\n?/g, '\n');
  const { front: yaml, body, line } = splitFrontMatter(text);
  if (yaml.length > maxFrontMatter)
    return { line: 1, problem: `has more than ${maxFrontMatter} characters of front matter` };
  const front = parseFrontMatter(yaml);
  if ('problem' in front) return front;
  return { path, front: front.value, body, line, own: parseMarkdownNote(text) };
}

function parseFrontMatter(yaml: string): { readonly value: Readonly<Record<string, unknown>> } | NoteProblem {
  if (yaml.trim() === '') return { value: {} };
  const lines = new LineCounter();
  try {
    const document = parseDocument(yaml, { lineCounter: lines, logLevel: 'silent' });
    const [error] = document.errors;
    if (error !== undefined)
      return { line: lines.linePos(error.pos[0]).line + 1, problem: 'has front matter that is not YAML' };
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    return { value: isRecord(value) ? value : {} };
  } catch {
    // Nested too deeply, or too many aliases.
    return { line: 1, problem: 'has front matter that cannot be read' };
  }
}

export function textOf(front: SourceNote['front'], key: string): string | undefined {
  const value = front[key];
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** A list, or words separated by commas or spaces. */
export function listOf(front: SourceNote['front'], keys: readonly string[]): string[] {
  return keys.flatMap((key) => {
    const value = front[key];
    const items: unknown[] = Array.isArray(value)
      ? value
      : typeof value === 'string'
        ? value.split(/[,\s]+/)
        : [];
    return items
      .filter((item) => typeof item === 'string' || typeof item === 'number')
      .map((item) => String(item).replace(/^#/, '').trim())
      .filter((item) => item !== '');
  });
}

export function propsOf(front: SourceNote['front'], without: readonly string[]): Props | undefined {
  const kept = Object.entries(front).filter(([key, value]) => !without.includes(key) && value !== null);
  const props = Object.fromEntries(
    kept.map(([key, value]) => [
      key,
      typeof value === 'number' && !Number.isFinite(value) ? String(value) : value,
    ]),
  );
  return isProps(props) ? props : undefined;
}
