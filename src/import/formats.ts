import { TrellisError } from '../model/error.js';
import { chatgptExport } from './conversations/chatgpt-export.js';
import { claudeCodeTranscripts } from './conversations/claude-code-transcripts.js';
import { claudeExport } from './conversations/claude-export.js';
import { codexTranscripts } from './conversations/codex-transcripts.js';
import type { ImportFormat } from './import-format.js';
import { type ImportInput, sampleInput } from './import-input.js';
import { basicMemory, markdownNotes } from './markdown/markdown-notes.js';
import { memoryLines } from './memory-lines.js';
import { claudeMem } from './products/claude-mem.js';
import { letta } from './products/letta.js';
import { mcpMemoryService } from './products/mcp-memory-service.js';
import { mem0 } from './products/mem0.js';
import { mempalace } from './products/mempalace.js';
import { csvTable } from './table/csv-table.js';
import { jsonTable } from './table/json-table.js';

/** Where two are equally likely, the first wins. */
export const importFormats: readonly ImportFormat[] = [
  ...[memoryLines, csvTable, jsonTable, markdownNotes, basicMemory],
  ...[claudeExport, chatgptExport, claudeCodeTranscripts, codexTranscripts],
  ...[mem0, letta, mempalace, claudeMem, mcpMemoryService],
];

export const importKinds: readonly string[] = importFormats.map(({ kind }) => kind);

export function formatNamed(kind: string): ImportFormat {
  const format = importFormats.find((candidate) => candidate.kind === kind);
  if (format !== undefined) return format;
  throw new TrellisError('USAGE', `There is no kind named ${JSON.stringify(kind)}.`, {
    hint: `Use one of: ${importKinds.join(', ')}.`,
  });
}

/** The likeliest format; for a file that nobody recognises, the one whose messages say what is wrong with each line. */
export async function recogniseFormat(input: ImportInput): Promise<ImportFormat> {
  const sample = await sampleInput(input);
  let best: ImportFormat | undefined;
  let confidence = 0;
  for (const format of importFormats) {
    const found = format.recognise(sample);
    if (found > confidence) [best, confidence] = [format, found];
  }
  if (best === undefined && sample.isFolder)
    throw new TrellisError('INVALID_ARGUMENT', `${input.name} has no files of a known kind.`, {
      hint: `Name its kind with --from: ${importKinds.join(', ')}.`,
    });
  return best ?? memoryLines;
}
