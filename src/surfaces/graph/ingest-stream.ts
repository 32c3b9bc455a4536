import { z } from 'zod';
import { ingestModes } from '../../ingest/ingest-mode.js';
import { parseArguments } from '../arguments.js';
import { jsonText, type Tool } from '../tool.js';
import { type IngestWish, ingest, ingestInto } from './ingest.js';
import { branchInput } from './shapes.js';

const wishes = z.object({
  mode: z.enum(ingestModes).optional(),
  branch: branchInput('The branch to write to'),
  from: branchInput('If the branch is not there, make it from this one'),
});

/** The tool `ingest` for lines that arrive as bytes: they are taken apart while they do. */
export function ingestStream(bytes: AsyncIterable<Uint8Array>): Tool<IngestWish> {
  return {
    ...ingest,
    input: { schema: ingest.input.schema, parse: (given) => parseArguments(wishes, ingest.name, given) },
    async run(call, wish) {
      const structured = await ingestInto(call, bytes, wish);
      return { structured, text: [jsonText(structured)] };
    },
  };
}
