import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { readFailureReason } from '../file/file-errors.js';
import { TrellisError } from '../model/error.js';
import { type FolderFile, listFiles } from './list-files.js';

/** A file or folder to import. */
export interface ImportInput {
  /** As users know it. */
  readonly name: string;
  readonly path: string;
  /** The files of a folder; undefined for a file. */
  readonly files: readonly FolderFile[] | undefined;
  /** Links that lead out of the folder. */
  readonly refusedLinks: readonly string[];
  readonly bytes: number;
  readonly onBytes?: (count: number) => void;
}

/** The beginning of an input, to recognise its format by. */
export interface ImportSample {
  readonly fileName: string;
  readonly isFolder: boolean;
  /** The first characters of a file. */
  readonly head: string;
  /** The paths in a folder. */
  readonly paths: readonly string[];
  /** The first characters of the first files of each extension. */
  readonly heads: ReadonlyMap<string, string>;
}

const headBytes = 262_144;
const sampledFiles = 5;

export async function openImportInput(name: string, path: string): Promise<ImportInput> {
  const found = await stat(path).catch((error: unknown) => {
    throw cannotRead(path, error);
  });
  if (!found.isDirectory()) return { name, path, files: undefined, refusedLinks: [], bytes: found.size };
  const { files, refusedLinks } = await listFiles(path).catch((error: unknown) => {
    throw cannotRead(path, error);
  });
  return { name, path, files, refusedLinks, bytes: files.reduce((sum, { size }) => sum + size, 0) };
}

export async function sampleInput({ path, files }: ImportInput): Promise<ImportSample> {
  if (files === undefined)
    return {
      fileName: basename(path),
      isFolder: false,
      head: await readHead(path),
      paths: [],
      heads: new Map(),
    };
  const taken = new Map<string, number>();
  const heads = new Map<string, string>();
  for (const { path: file } of files) {
    const ending = file.slice(file.lastIndexOf('.'));
    const count = (taken.get(ending) ?? 0) + 1;
    taken.set(ending, count);
    if (count <= sampledFiles && taken.size <= sampledFiles)
      heads.set(file, await readHead(join(path, file)));
  }
  const paths = files.map((file) => file.path);
  return { fileName: basename(path), isFolder: true, head: '', paths, heads };
}

/** The first characters of a file. */
export async function readHead(path: string): Promise<string> {
  const file = await open(path, 'r').catch((error: unknown) => {
    throw cannotRead(path, error);
  });
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.toString('utf8', 0, bytesRead).replace(/^\ufeff/, '');
  } catch (error) {
    throw cannotRead(path, error);
  } finally {
    await file.close();
  }
}

/** The bytes of the input, or of a file in its folder. */
export async function* readBytes(input: ImportInput, file?: string): AsyncGenerator<Uint8Array> {
  const path = inputPath(input, file);
  const stream = createReadStream(path, { highWaterMark: 1 << 20 });
  try {
    for await (const chunk of stream) {
      input.onBytes?.(chunk.length);
      yield chunk;
    }
  } catch (error) {
    throw error instanceof Error && 'syscall' in error ? cannotRead(path, error) : error;
  }
}

export function inputPath({ path }: ImportInput, file?: string): string {
  return file === undefined ? path : join(path, file);
}

/** The files of a folder that a format reads, or undefined for the file that the input is. */
export function filesOf({ files }: ImportInput, pattern: RegExp): readonly (string | undefined)[] {
  return files === undefined
    ? [undefined]
    : files.map(({ path }) => path).filter((path) => pattern.test(path));
}

/** The beginnings of such files; a file that is not in a folder may have any name. */
export function headsOf({ isFolder, head, heads }: ImportSample, pattern: RegExp): readonly string[] {
  return isFolder ? [...heads].filter(([path]) => pattern.test(path)).map(([, text]) => text) : [head];
}

/** How provenance names the input, or a file in its folder. */
export function sourceName(input: ImportInput, file?: string): string {
  const name = input.name === input.path ? basename(input.path) : input.name;
  return file === undefined ? name : `${name}/${file}`;
}

export function cannotRead(path: string, error: unknown): TrellisError {
  return new TrellisError('INVALID_ARGUMENT', `Cannot read ${path}: ${readFailureReason(error)}.`, {
    hint: 'Check the path and its permissions.',
    cause: error,
  });
}
