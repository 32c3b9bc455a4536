import type { McpClient } from './clients.js';
import { jsonEditor } from './edit-json.js';
import { tomlEditor } from './edit-toml.js';
import { yamlEditor } from './edit-yaml.js';
import type { EntryValue } from './server-entry.js';

/** Where the entry of a server is: below `key`, under its name. */
export interface EntryPlace {
  readonly key: string;
  readonly name: string;
  readonly isList: boolean;
}

/** Changes one entry of a configuration and leaves every other byte as it is. All throw `UnreadableConfig`. */
export interface ConfigEditor {
  /** Undefined if there is no such entry. */
  read(text: string, place: EntryPlace): unknown;
  set(text: string, place: EntryPlace, value: EntryValue): string;
  remove(text: string, place: EntryPlace): string;
}

const editors: Readonly<Record<McpClient['format'], ConfigEditor>> = {
  json: jsonEditor,
  toml: tomlEditor,
  yaml: yamlEditor,
};

export function editorFor(client: McpClient): ConfigEditor {
  return editors[client.format];
}
