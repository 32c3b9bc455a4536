import type { NodeContent } from './line-record.js';
import { parseJsonlLine } from './parse-jsonl-line.js';

/** Characters that cannot be stored stand in a valid line of JSON as escapes only: parsing every line would take too long. */
const mayBeUnstorable = /\\u(?:0000|d[89a-f])/i;

/** Whether a line has texts that are shown with characters replaced. */
export function hasReplacedText(line: string): boolean {
  return findOriginalTexts(line) !== undefined;
}

/** A node that is printed anew, with the texts that its line had and that are still shown as that line said them. */
export function withOriginalTexts(node: NodeContent, line: string): NodeContent {
  const original = findOriginalTexts(line);
  if (original === undefined) return node;
  const { replaced, said } = original;
  const spelled = new Map<string, string[]>();
  for (const [index, text] of replaced.observations.entries()) {
    const before = said.observations[index] ?? text;
    spelled.set(text, [...(spelled.get(text) ?? []), before]);
  }
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
