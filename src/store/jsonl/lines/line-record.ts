import type { Props } from '../../../model/json.js';

/** Entities and relations, or nodes and edges. */
export type LineFormat = 'memory' | 'mesh';

export interface NodeContent {
  readonly name: string;
  readonly type: string;
  readonly observations: readonly string[];
  readonly summary: string | null;
  readonly tags: readonly string[];
  readonly props: Props;
}

/** The ends are names. */
export interface EdgeContent {
  readonly from: string;
  readonly to: string;
  readonly type: string;
  readonly key: string;
  readonly weight: number;
  readonly props: Props;
}

export interface NodeLineRecord extends NodeContent {
  readonly kind: 'node';
  readonly format: LineFormat;
  /** What the line itself says, if characters that no store can hold were replaced. */
  readonly original?: Pick<NodeContent, 'type' | 'observations'>;
}

export interface EdgeLineRecord extends EdgeContent {
  readonly kind: 'edge';
  readonly format: LineFormat;
}

export interface UnreadableLineRecord {
  readonly kind: 'unreadable';
  /** Completes the sentence "the line …". */
  readonly reason: string;
}

export type LineRecord = NodeLineRecord | EdgeLineRecord | UnreadableLineRecord;

export function edgeLineKey(edge: Pick<EdgeContent, 'from' | 'type' | 'to' | 'key'>): string {
  return JSON.stringify([edge.from, edge.type, edge.to, edge.key]);
}
