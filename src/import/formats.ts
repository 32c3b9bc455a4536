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
  refuseBinary(input.name, sample.head);
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

/** Files that have to be unpacked or opened by another program first, by how they begin. */
const binaryKinds: readonly (readonly [start: string, what: string, hint: string])[] = [
  ['PK\u0003\u0004', 'a zip archive', 'Unpack it, and import the folder.'],
  ['\u001f\ufffd', 'compressed with gzip', 'Unpack it: gunzip < FILE | trellis import -'],
  [
    'SQLite format 3\0',
    'a SQLite database',
    'Use trellis copy for a store of Trellis, else export it as JSON or CSV first.',
  ],
];

function refuseBinary(name: string, head: string): void {
  const found = binaryKinds.find(([start]) => head.startsWith(start));
  if (found !== undefined)
    throw new TrellisError('INVALID_ARGUMENT', `${name} is ${found[1]}.`, { hint: found[2] });
}
