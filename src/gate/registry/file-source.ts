import { readFile, stat } from 'node:fs/promises';
import { type Document, LineCounter, parseDocument as parseYaml } from 'yaml';
import { readFailureReason } from '../../file/file-errors.js';
import { errorCodes, reasonOf, TrellisError } from '../../model/error.js';
import { gateLimits } from '../../model/limits.js';
import { decodeUtf8 } from '../../model/text.js';
import { YamlPositions } from '../../yaml/yaml-positions.js';
import type { IssueLocator } from './parse-registry-document.js';
import { parseRegistry } from './registry-snapshot.js';
import type { RegistrySource, SchemaRegistry } from './schema-registry.js';

/** Keeps a small file from expanding into a huge registry. */
const maxAliases = 100;

export class FileSource implements RegistrySource {
  readonly name: string;

  constructor(path: string) {
    this.name = path;
  }

  async load(): Promise<SchemaRegistry> {
    const { size } = await stat(this.name).catch((error: unknown) => {
      throw unreadable(this.name, error);
    });
    if (size > gateLimits.registryFileBytes)
      throw invalid(this.name, `it has ${size} bytes; at most ${gateLimits.registryFileBytes} are read`);
    const lines = new LineCounter();
    const text = decodeUtf8(await readFile(this.name));
    if (text === undefined) throw invalid(this.name, 'it is not UTF-8 text');
    const document = parseYaml(text, { lineCounter: lines });
    const [error] = document.errors;
    if (error !== undefined) throw invalid(this.name, error.message.split('\n')[0] ?? error.code);
    const locate = locateIn(new YamlPositions(document, lines));
    return parseRegistry(toPlainValue(document, this.name), this.name, locate);
  }
}

function toPlainValue(document: Document, name: string): unknown {
  try {
    return document.toJS({ maxAliasCount: maxAliases }) ?? {};
  } catch (error) {
    throw invalid(name, reasonOf(error));
  }
}

function unreadable(name: string, error: unknown): TrellisError {
  return new TrellisError('SCHEMA_SOURCE_UNAVAILABLE', `Cannot read ${name}: ${readFailureReason(error)}.`, {
    hint: 'Check the path of the gate registry and its permissions.',
    cause: error,
  });
}

function invalid(name: string, reason: string): TrellisError {
  return new TrellisError('SCHEMA_INVALID', `The gate registry in ${name} cannot be read: ${reason}.`, {
    hint: 'It must be a YAML or JSON file with nodes, relationships and fallback_label.',
    publicMessage: errorCodes.SCHEMA_INVALID,
  });
}

/** The line of the unknown key, or of the nearest enclosing value that exists. */
function locateIn(positions: YamlPositions): IssueLocator {
  return ({ path, keys }) => {
    const { line } = keys === undefined ? positions.ofValue(path) : positions.ofKey([...path, keys[0] ?? '']);
    return `line ${line}`;
  };
}
