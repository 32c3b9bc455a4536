import { constants, setPriority } from 'node:os';
import { asTrellisError, reasonOf } from '../../../model/error.js';
import type { EmbedRequest, OnnxResponse } from './onnx-messages.js';
import { OnnxModel } from './onnx-model.js';

// The process that runs a model: it opens the folder that its argument names, and embeds what it is sent.
const [folder = ''] = process.argv.slice(2);

interface Job {
  readonly request: number;
  readonly texts: readonly (readonly number[])[];
  readonly vectors: Float32Array[];
}

/** Somebody waits for a query, so it goes before the next document. */
const queries: Job[] = [];
const documents: Job[] = [];
let working = false;

process.on('disconnect', () => process.exit());
// A terminal signals all its processes; this one ends with its parent.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
try {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
} catch {
  // Where that is not allowed, it only runs with the usual priority.
}

try {
  const model = await OnnxModel.open(folder);
  process.on('message', (request: EmbedRequest) => accept(model, request));
  send({ ready: { id: model.id, dimension: model.dimension } });
} catch (error) {
  const { message, hint = '' } = asTrellisError(error);
  send({ failure: { message, hint } });
}

function accept(model: OnnxModel, { request, texts, kind }: EmbedRequest): void {
  const job = { request, texts: texts.map((text) => model.tokenize(text, kind)), vectors: [] };
  (kind === 'query' ? queries : documents).push(job);
  if (!working) void work(model);
}

async function work(model: OnnxModel): Promise<void> {
  working = true;
  for (let queue = nextQueue(); queue !== undefined; queue = nextQueue()) {
    const [job] = queue;
    if (job === undefined) break;
    try {
      const next = job.texts[job.vectors.length];
      if (next !== undefined) job.vectors.push(await model.embed(next));
      if (job.vectors.length < job.texts.length) continue;
      send({ request: job.request, vectors: job.vectors });
    } catch (error) {
      send({ request: job.request, error: reasonOf(error) });
    }
    queue.shift();
  }
  working = false;
}

function nextQueue(): Job[] | undefined {
  return [queries, documents].find((queue) => queue.length > 0);
}

function send(response: OnnxResponse): void {
  process.send?.(response);
}
