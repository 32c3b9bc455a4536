import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, relative, sep } from 'node:path';
import { readFailureReason } from '../../file/file-errors.js';
import { TrellisError } from '../../model/error.js';
import { configLimits } from '../../model/limits.js';
import { decodeUtf8 } from '../../model/text.js';
import type { KeyPath } from '../../yaml/yaml-positions.js';
import { configInvalid } from './config-problem.js';
import { type ParsedConfig, parseConfig } from './parse-config.js';

export interface ConfigFile extends Pick<ParsedConfig, 'content'> {
  readonly path: string;
  readonly folder: string;
  /** For example `trellis.yaml:3`. */
  sourceOf(path: KeyPath): string;
}

export async function readConfig(path: string, cwd: string = process.cwd()): Promise<ConfigFile> {
  const name = shortPath(path, cwd);
  const { content, lineOf } = parseConfig(decoded(await bytesOf(path, name), name), name);
  return { path, folder: dirname(path), content, sourceOf: (key) => `${name}:${lineOf(key)}` };
}

/** Only regular files are opened: a pipe would block. */
async function bytesOf(path: string, name: string): Promise<Buffer> {
  try {
    if (!(await stat(path)).isFile()) throw configInvalid(name, [{ message: 'is not a file' }]);
    const chunks: Buffer[] = [];
    for await (const chunk of createReadStream(path, { end: configLimits.fileBytes })) chunks.push(chunk);
    return Buffer.concat(chunks);
  } catch (error) {
    if (error instanceof TrellisError) throw error;
    throw configInvalid(name, [{ message: `cannot be read: ${readFailureReason(error)}` }]);
  }
}

function decoded(bytes: Buffer, name: string): string {
  if (bytes.length > configLimits.fileBytes)
    throw configInvalid(name, [{ message: `has more than ${configLimits.fileBytes} bytes` }]);
  const text = decodeUtf8(bytes);
  if (text === undefined) throw configInvalid(name, [{ message: 'is not UTF-8 text' }]);
  return text;
}

/** Relative if the file is below the working directory. */
function shortPath(path: string, cwd: string): string {
  const below = relative(cwd, path);
  return below === '' || below.startsWith(`..${sep}`) || below === '..' ? path : below;
}
