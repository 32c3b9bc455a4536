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

/** A configuration file that was read and found right. */
export interface ConfigFile extends Pick<ParsedConfig, 'content'> {
  /** An absolute path. */
  readonly path: string;
  /** The folder that relative paths in it start from. */
  readonly folder: string;
  /** Where a key stands, as `trellis.yaml:3`. */
  sourceOf(path: KeyPath): string;
}

/** Reads a configuration file; one that is wrong is refused as a whole. */
export async function readConfig(path: string, cwd: string = process.cwd()): Promise<ConfigFile> {
  const name = shortPath(path, cwd);
  const { content, lineOf } = parseConfig(decoded(await bytesOf(path, name), name), name);
  return { path, folder: dirname(path), content, sourceOf: (key) => `${name}:${lineOf(key)}` };
}

/** At most one byte more than is allowed; what is no ordinary file is not even opened, since a pipe would make us wait. */
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

/** As short as it is clear: from the working directory, if the file lies below it. */
function shortPath(path: string, cwd: string): string {
  const below = relative(cwd, path);
  return below === '' || below.startsWith(`..${sep}`) || below === '..' ? path : below;
}
