import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '../../file/file-errors.js';
import { reasonOf, TrellisError } from '../../model/error.js';
import { groupEntries } from '../../model/group-entries.js';
import type { NodeId } from '../../model/node.js';
import type { ExportedEdge, ExportSource } from '../../transfer/export-source.js';
import { csvLine } from '../../transfer/formats/csv-format.js';
import { markdownNote, type NoteLink, NoteNames } from '../../transfer/formats/markdown-note.js';
import { pluralize } from '../print.js';
import { withRemovalOnSignal } from './remove-on-signal.js';
import type { WrittenGraph } from './write-graph.js';

export const folderFormats = { csv: writeCsv, markdown: writeNotes };

/** The folder appears complete or not at all. One that holds files is never replaced. */
export async function writeFolder(
  source: ExportSource,
  format: keyof typeof folderFormats,
  folder: string,
  dryRun: boolean,
): Promise<WrittenGraph> {
  await requireEmpty(folder);
  const temporary = `${folder}.${randomBytes(6).toString('hex')}.tmp`;
  const save: SaveFile = async (name, lines) => {
    if (!dryRun) await writeLines(join(temporary, name), lines);
    else for await (const _ of lines);
  };
  try {
    return await withRemovalOnSignal(temporary, async () => {
      if (!dryRun) await mkdir(temporary, { mode: 0o700 });
      const written = await folderFormats[format](source, save);
      if (!dryRun) await rename(temporary, folder);
      return written;
    });
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    if (error instanceof TrellisError) throw error;
    throw new TrellisError('STORE_UNAVAILABLE', `Cannot write ${folder}: ${reasonOf(error)}`, {
      hint: 'Check the folder and the disk, or choose another name.',
      cause: error,
    });
  }
}

type SaveFile = (name: string, lines: AsyncIterable<string>) => Promise<void>;

async function requireEmpty(folder: string): Promise<void> {
  const entries = await readdir(folder).catch((error: unknown) => (isMissing(error) ? [] : undefined));
  if (entries?.length === 0) return;
  throw new TrellisError('INVALID_ARGUMENT', `${folder} is not an empty folder.`, {
    hint: 'Name a new folder; this format writes several files.',
  });
}

async function writeLines(path: string, lines: AsyncIterable<string>): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await writeFile(file, lines);
  } finally {
    await file.close();
  }
}

async function writeCsv(source: ExportSource, save: SaveFile): Promise<WrittenGraph> {
  let nodes = 0;
  let edges = 0;
  async function* nodeLines() {
    yield csvLine(['type', 'name', 'summary', 'tags', 'observations', 'props']);
    for await (const page of source.nodePages()) {
      nodes += page.length;
      for (const { type, name, summary, tags, observations, props } of page)
        yield csvLine([type, name, summary, [...tags], [...observations], props]);
    }
  }
  async function* edgeLines() {
    yield csvLine(['from', 'type', 'to', 'key', 'weight', 'props']);
    for await (const page of source.edgePages()) {
      edges += page.length;
      for (const { fromName, type, toName, key, weight, props } of page)
        yield csvLine([fromName, type, toName, key, weight, props]);
    }
  }
  await save('nodes.csv', nodeLines());
  await save('edges.csv', edgeLines());
  return { nodes, edges, leftOut: ['provenance and the history are left out'] };
}

async function writeNotes(source: ExportSource, save: SaveFile): Promise<WrittenGraph> {
  const files = await noteFiles(source);
  const stubs = new Set((await source.stubs()).map(({ id }) => id));
  let nodes = 0;
  let edges = 0;
  for await (const page of source.nodePages()) {
    nodes += page.length;
    const around = await source.edgesOf(page.map(({ id }) => id));
    const [out, into] = [
      groupEntries(around.map((edge) => [edge.from, edge])),
      groupEntries(around.map((edge) => [edge.to, edge])),
    ];
    for (const node of page) {
      const leaving = out.get(node.id) ?? [];
      edges += leaving.length;
      const note = markdownNote(node, {
        out: leaving.map((edge) => noteLink(files, stubs, edge, 'to')),
        in: (into.get(node.id) ?? []).map((edge) => noteLink(files, stubs, edge, 'from')),
      });
      await save(`${files.get(node.id)}.md`, once(note));
    }
  }
  const lost = (await source.edgesOf([...stubs])).filter(({ from, to }) => stubs.has(from) && stubs.has(to));
  return {
    nodes,
    edges,
    leftOut: [
      ...(lost.length === 0
        ? []
        : [`${pluralize(lost.length, 'relation')} between names without a note are left out`]),
      'provenance and the history are left out',
    ],
  };
}

function noteLink(
  files: ReadonlyMap<NodeId, string>,
  stubs: ReadonlySet<NodeId>,
  edge: ExportedEdge,
  end: 'from' | 'to',
): NoteLink {
  const { type, key, weight, props } = edge;
  const name = end === 'from' ? edge.fromName : edge.toName;
  return { type, name, file: files.get(edge[end]) ?? '', stub: stubs.has(edge[end]), key, weight, props };
}

async function noteFiles(source: ExportSource): Promise<Map<NodeId, string>> {
  const names = new NoteNames();
  const files = new Map<NodeId, string>();
  for await (const page of source.nodePages())
    for (const { id, name } of page) files.set(id, names.nameFor(name));
  for (const { id, name } of await source.stubs()) files.set(id, names.nameFor(name));
  return files;
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}
