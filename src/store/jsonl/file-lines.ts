import type { NodeId } from '../../model/node.js';
import { type FileLine, LineBlocks } from './line-blocks.js';
import type { LineFormat } from './lines/line-record.js';

export interface NodeFileLine extends FileLine {
  readonly id: NodeId;
}

/** A line without usable content, kept as it is. */
export interface UnreadableFileLine {
  readonly bytes: Buffer;
  readonly reason: string;
  /** Set if the line is readable, but repeats an earlier one. */
  readonly repeats?: RepeatedLine;
}

export type RepeatedLine =
  | { readonly kind: 'node'; readonly key: string; readonly observations: readonly string[] }
  | { readonly kind: 'edge'; readonly key: string };

/** The file as last read or written: nodes by name, edges by `edgeLineKey`, and unreadable lines. */
export class FileLines {
  readonly nodes = new LineBlocks<NodeFileLine>();
  readonly edges = new LineBlocks<FileLine>();
  unreadable: readonly UnreadableFileLine[] = [];
  /** Undefined while the file has no readable line. */
  format: LineFormat | undefined;
}

export function unreadableBytes(lines: readonly UnreadableFileLine[]): Buffer {
  return Buffer.concat(lines.flatMap(({ bytes }) => [bytes, newline]));
}

const newline = Buffer.from('\n');
