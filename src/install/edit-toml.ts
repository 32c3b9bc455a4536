import { parse, patch, stringify } from '@decimalturn/toml-patch';
import { isRecord } from '../model/is-record.js';
import type { ConfigEditor, EntryPlace } from './config-editor.js';
import type { EntryValue } from './server-entry.js';
import { UnreadableConfig } from './unreadable-config.js';

export const tomlEditor: ConfigEditor = {
  read: (text, place) => parseServers(text, place)?.[place.name],
  set(text, place, value) {
    const servers = parseServers(text, place);
    const wanted = { ...parseToml(text), [place.key]: { ...servers, [place.name]: value } };
    if (servers?.[place.name] === undefined) {
      // A table of its own at the end is how people write it; an inline table cannot be continued like that.
      const appended = appendTable(text, place, value);
      if (comparable(readOrUndefined(appended)) === comparable(wanted)) return appended;
    }
    return patch(text, wanted);
  },
  remove(text, place) {
    const servers = parseServers(text, place);
    if (servers?.[place.name] === undefined) return text;
    const { [place.name]: _removed, ...others } = servers;
    const { [place.key]: _servers, ...rest } = parseToml(text);
    return patch(text, Object.keys(others).length === 0 ? rest : { ...rest, [place.key]: others });
  },
};

function appendTable(text: string, { key, name }: EntryPlace, value: EntryValue): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const table = `[${key}.${name}]\n${stringify(value).trim()}\n`.replaceAll('\n', eol);
  if (text.trim() === '') return text + table;
  return `${text}${text.endsWith('\n') ? '' : eol}${eol}${table}`;
}

function parseServers(text: string, { key }: EntryPlace): Readonly<Record<string, unknown>> | undefined {
  const servers = parseToml(text)[key];
  if (servers === undefined) return undefined;
  if (!isRecord(servers)) throw new UnreadableConfig(`${key} is not a table`);
  return servers;
}

function parseToml(text: string): Readonly<Record<string, unknown>> {
  try {
    return parse(text);
  } catch (error) {
    // The message quotes the place first and gives the reason last.
    const reason = error instanceof Error ? (error.message.split('\n').at(-1) ?? '') : String(error);
    const line = isRecord(error) && typeof error['line'] === 'number' ? error['line'] : undefined;
    throw new UnreadableConfig(reason, line);
  }
}

function readOrUndefined(text: string): unknown {
  try {
    return parseToml(text);
  } catch {
    return undefined;
  }
}

function comparable(value: unknown): string | undefined {
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}n` : part));
}
