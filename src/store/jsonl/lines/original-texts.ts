import { groupEntries } from '../../../model/group-entries.js';
import type { NodeContent } from './line-record.js';
import { parseJsonlLine } from './parse-jsonl-line.js';

/** A valid line has such characters as escapes only: parsing every line would take too long. */
const mayBeUnstorable = /\\u(?:0000|d[89a-f])/i;

/** Whether a line has texts that are shown with replaced characters. */
export function hasReplacedText(line: string): boolean {
  return findOriginalTexts(line) !== undefined;
}

/** Restores the texts of a node that are still shown as its line said them. */
export function withOriginalTexts(node: NodeContent, line: string): NodeContent {
  const original = findOriginalTexts(line);
  if (original === undefined) return node;
  const { replaced, said } = original;
  const spelled = groupEntries(
    replaced.observations.map((text, index) => [text, said.observations[index] ?? text]),
  );
  return {
    ...node,
    type: node.type === replaced.type ? said.type : node.type,
    observations: node.observations.map((text) => spelled.get(text)?.shift() ?? text),
  };
}

function findOriginalTexts(line: string) {
  if (!mayBeUnstorable.test(line)) return undefined;
  const record = parseJsonlLine(line);
  if (record.kind !== 'node' || record.original === undefined) return undefined;
  return { replaced: record, said: record.original };
}
