import { z } from 'zod';
import { ingestModes } from '../../ingest/ingest-mode.js';
import { jsonText, type Tool } from '../tool.js';
import { parseArguments } from '../tool-arguments.js';
import { cascadeInput, graphIngest, type IngestToolOptions, ingestBytes } from './graph-ingest.js';
import { branchInput, ifCommitInput, messageInput } from './graph-shapes.js';

const streamArguments = z.object({
  mode: z.enum(ingestModes).optional(),
  cascade: cascadeInput,
  branch: branchInput('The branch to write to'),
  from: branchInput('If the branch does not exist, create it from this one'),
  if_commit: ifCommitInput,
  message: messageInput,
});

/** The tool `ingest` for bytes, parsed while they arrive. */
export function ingestStreamTool(bytes: AsyncIterable<Uint8Array>): Tool<IngestToolOptions> {
  return {
    ...graphIngest,
    input: {
      schema: graphIngest.input.schema,
      parse: (given) => parseArguments(streamArguments, graphIngest.name, given),
    },
    async run(call, options) {
      const structured = await ingestBytes(call, bytes, options);
      return { structured, text: [jsonText(structured)] };
    },
  };
}
