import { TrellisError } from '../model/error.js';
import type { ImportFormat } from './import-format.js';
import { type ImportInput, sampleInput } from './import-input.js';
import { basicMemory, markdownNotes } from './markdown/markdown-notes.js';
import { memoryLines } from './memory-lines.js';
import { csvTable } from './table/csv-table.js';
import { jsonTable } from './table/json-table.js';

/** Where two are equally likely, the first wins. */
export const importFormats: readonly ImportFormat[] = [
  memoryLines,
  basicMemory,
  markdownNotes,
  csvTable,
  jsonTable,
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
