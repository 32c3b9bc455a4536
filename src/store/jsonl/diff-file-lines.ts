import { TrellisError } from '../../model/error.js';
import { textProblem } from '../../model/text.js';
import { type AlignedPart, alignBlocks } from './align-blocks.js';
import { type FileLines, type NodeFileLine, type UnreadableFileLine, unreadableBytes } from './file-lines.js';
import type { FileLine, LineBlock } from './line-blocks.js';
import { type ChangedLine, LineComparison } from './line-comparison.js';
import {
  type EdgeLineRecord,
  edgeLineKey,
  type LineFormat,
  type NodeLineRecord,
} from './lines/line-record.js';
import { parseJsonlLine } from './lines/parse-jsonl-line.js';
import { parseLineText } from './lines/read-jsonl-lines.js';
import { type RawLine, splitLines } from './lines/split-lines.js';
import {
  collectRepeatedObservations,
  namesWithChangedRepeats,
  type RepeatedObservations,
  withRepeatedObservations,
} from './repeated-lines.js';

export interface ChangedRecord<R> {
  readonly record: R;
  /** It goes after all that were there before. */
  readonly append: boolean;
}

export interface GraphDelta {
  readonly removedNodes: readonly string[];
  readonly nodes: readonly ChangedRecord<NodeLineRecord>[];
  readonly removedEdges: readonly EdgeLineRecord[];
  readonly edges: readonly ChangedRecord<EdgeLineRecord>[];
}

/** A problem of a line that was not reported before. */
export interface LineWarning {
  readonly number: number;
  readonly reason: string;
  /** Whether the line is left out, adds to the node of an earlier line, or is shown with replaced characters. */
  readonly effect: 'left_out' | 'adds' | 'replaced';
  /** Whether the line repeats an earlier one, which is harmless. */
  readonly repeats: boolean;
}

export interface FileLinesDiff {
  readonly delta: GraphDelta;
  readonly warnings: readonly LineWarning[];
  /** Adopts the new content; `ids` are those of the nodes by name. */
  apply(ids: ReadonlyMap<string, number>): void;
}

/**
 * Compares new content with the known lines. Blocks that are still there are skipped, and of the rest only new lines are
 * parsed: changing some lines of a file costs little more than reading it.
 */
export function diffFileLines(lines: FileLines, content: Buffer): FileLinesDiff {
  const kept = trailingUnreadable(lines.unreadable, content);
  const rest = content.subarray(0, content.length - unreadableBytes(kept).length);
  const parts = alignBlocks([...lines.nodes.blocks, ...lines.edges.blocks], rest);
  const diff = compareParts(lines, parts, kept) ?? compareParts(lines, [{ gap: rest }], kept);
  if (diff === undefined) throw new TrellisError('INTERNAL', 'Comparing a whole file gave no result.');
  return diff;
}

/** The unreadable lines, if they still end the file. A repetition is only one while the repeated line is there. */
function trailingUnreadable(
  unreadable: readonly UnreadableFileLine[],
  content: Buffer,
): readonly UnreadableFileLine[] {
  const bytes = unreadableBytes(unreadable);
  const at = content.length - bytes.length;
  if (unreadable.some(({ repeats }) => repeats !== undefined)) return [];
  if (at < 0 || !content.subarray(at).equals(bytes)) return [];
  return at === 0 || content[at - 1] === newline ? unreadable : [];
}

interface NumberedUnreadable {
  readonly line: UnreadableFileLine;
  readonly number: number;
}

/** Undefined if a kept block depends on what precedes it, so that its lines have to be compared too. */
function compareParts(
  lines: FileLines,
  parts: readonly AlignedPart[],
  keptUnreadable: readonly UnreadableFileLine[],
): FileLinesDiff | undefined {
  const comparison = new FileComparison(lines, parts);
  if (!parts.every((part) => comparison.take(part))) return undefined;
  const { nodes, edges, unreadable, format } = comparison;
  return {
    delta: toDelta(nodes, edges, {
      before: collectRepeatedObservations(lines.unreadable),
      after: collectRepeatedObservations(unreadable.map(({ line }) => line)),
    }),
    warnings: [...newWarnings(lines.unreadable, unreadable), ...comparison.replaced],
    apply: (ids) => {
      nodes.apply((name, text, before) => ({
        text,
        id: ids.get(name) ?? before?.id ?? throwMissingId(name),
      }));
      edges.apply((_key, text) => ({ text }));
      lines.unreadable = [...unreadable.map(({ line }) => line), ...keptUnreadable];
      lines.format = format;
    },
  };
}

class FileComparison {
  readonly nodes: LineComparison<NodeFileLine>;
  readonly edges: LineComparison<FileLine>;
  readonly unreadable: NumberedUnreadable[] = [];
  /** New lines with characters that cannot be stored. */
  readonly replaced: LineWarning[] = [];
  readonly #known: ReadonlyMap<string, ParsedLine>;
  #format: LineFormat | undefined;
  /** Of the next line. */
  #number = 1;

  constructor(lines: FileLines, parts: readonly AlignedPart[]) {
    const kept = new Set(parts.flatMap((part) => ('kept' in part ? [part.kept] : [])));
    this.nodes = new LineComparison(lines.nodes, kept);
    this.edges = new LineComparison(lines.edges, kept);
    this.#known = knownTexts(this.nodes, this.edges);
  }

  /** Of the first readable line. */
  get format(): LineFormat | undefined {
    return this.#format;
  }

  /** Returns false if the lines of a kept block have to be compared. */
  take(part: AlignedPart): boolean {
    return 'kept' in part ? this.#pass(part.kept) : this.#read(part.gap);
  }

  #pass(block: LineBlock<FileLine>): boolean {
    if (!this.nodes.skipBlock(block) || !this.edges.skipBlock(block)) return false;
    this.#format ??= lineFormatOf(block.lines.values().next().value?.text);
    this.#number += block.lines.size;
    return true;
  }

  #read(gap: Buffer): boolean {
    for (const raw of splitLines(gap, this.#number)) if (!this.#readOne(raw)) return false;
    this.#number += countNewlines(gap);
    return true;
  }

  #readOne(raw: RawLine): boolean {
    const line = (raw.text === undefined ? undefined : this.#known.get(raw.text)) ?? parseFileLine(raw.text);
    if (line.kind === 'unreadable') {
      this.unreadable.push({ line: { bytes: raw.bytes(), reason: line.reason }, number: raw.number });
      return true;
    }
    const ofKind = line.kind === 'node' ? this.nodes : this.edges;
    const other = ofKind.findKey(line.key);
    if (other === 'later') return false;
    this.#format ??= lineFormatOf(line.text);
    if (line.replaced !== undefined) {
      this.replaced.push({ number: raw.number, reason: line.replaced, effect: 'replaced', repeats: false });
    }
    if (other === undefined) ofKind.add(line.key, line.text);
    else this.unreadable.push({ line: repeatedLine(raw, line), number: raw.number });
    return true;
  }
}

function toDelta(
  nodes: LineComparison<NodeFileLine>,
  edges: LineComparison<FileLine>,
  repeated: { readonly before: RepeatedObservations; readonly after: RepeatedObservations },
): GraphDelta {
  const putNode = ({ text, append }: ChangedLine) => ({
    record: withRepeatedObservations(nodeRecord(text), repeated.after),
    append,
  });
  const put = nodes.put.map(putNode);
  const names = new Set(put.map(({ record }) => record.name));
  for (const name of namesWithChangedRepeats(repeated.before, repeated.after)) {
    const text = names.has(name) ? undefined : nodes.textOf(name);
    if (text !== undefined) put.push(putNode({ text, append: false }));
  }
  return {
    removedNodes: nodes.removed().map(({ key }) => key),
    nodes: put,
    removedEdges: edges.removed().map(({ text }) => edgeRecord(text)),
    edges: edges.put.map(({ text, append }) => ({ record: edgeRecord(text), append })),
  };
}

function newWarnings(
  before: readonly UnreadableFileLine[],
  found: readonly NumberedUnreadable[],
): LineWarning[] {
  const known = new Set(before.map(({ bytes }) => bytes.toString('latin1')));
  return found
    .filter(({ line }) => !known.has(line.bytes.toString('latin1')))
    .map(({ line, number }) => ({
      number,
      reason: line.reason,
      effect: line.repeats?.kind === 'node' ? 'adds' : 'left_out',
      repeats: line.repeats !== undefined,
    }));
}

function countNewlines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) count += 1;
  return count;
}

const newline = 0x0a;

interface UsableLine {
  readonly kind: 'node' | 'edge';
  readonly key: string;
  readonly text: string;
  /** Set if characters of it cannot be stored; completes the sentence "the line …". */
  readonly replaced?: string;
}

type ParsedLine = UsableLine | { readonly kind: 'unreadable'; readonly reason: string };

/** Known lines need no parsing. */
function knownTexts(
  nodes: LineComparison<NodeFileLine>,
  edges: LineComparison<FileLine>,
): Map<string, ParsedLine> {
  const known = new Map<string, ParsedLine>();
  for (const [text, key] of nodes.knownTexts()) known.set(text, { kind: 'node', key, text });
  for (const [text, key] of edges.knownTexts()) known.set(text, { kind: 'edge', key, text });
  return known;
}

function parseFileLine(found: string | undefined): ParsedLine {
  const record = parseLineText(found);
  const text = found ?? '';
  if (record.kind === 'unreadable') return record;
  if (record.kind === 'edge') return { kind: 'edge', key: edgeLineKey(record), text };
  const { name: key, original } = record;
  return {
    ...{ kind: 'node', key, text },
    ...(original === undefined ? {} : { replaced: unstorableReason(original) }),
  };
}

function unstorableReason({ type, observations }: NonNullable<NodeLineRecord['original']>): string {
  const problem = [type, ...observations].map(textProblem).find((found) => found !== undefined);
  return `has a text that ${problem ?? 'cannot be stored'}`;
}

function repeatedLine(raw: RawLine, { kind, key, text }: UsableLine): UnreadableFileLine {
  const bytes = raw.bytes();
  if (kind === 'edge') return { bytes, reason: 'repeats an earlier relation', repeats: { kind, key } };
  const { observations } = nodeRecord(text);
  return { bytes, reason: `repeats the name ${JSON.stringify(key)}`, repeats: { kind, key, observations } };
}

function lineFormatOf(text = ''): LineFormat | undefined {
  const record = parseJsonlLine(text);
  return record.kind === 'unreadable' ? undefined : record.format;
}

function nodeRecord(text: string): NodeLineRecord {
  const record = parseJsonlLine(text);
  if (record.kind !== 'node')
    throw new TrellisError('INTERNAL', 'A line that was a node can no longer be parsed as one.');
  return record;
}

function edgeRecord(text: string): EdgeLineRecord {
  const record = parseJsonlLine(text);
  if (record.kind !== 'edge') throw new TrellisError('INTERNAL', 'A line that was an edge is none any more.');
  return record;
}

function throwMissingId(name: string): never {
  throw new TrellisError('INTERNAL', `No node was made for the line of ${name}.`);
}
