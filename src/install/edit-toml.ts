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
    const whole = parseToml(text);
    const { [place.key]: _servers, ...rest } = whole;
    const isOnly = Object.keys(others).length === 0;
    const wanted = [{ ...whole, [place.key]: others }, ...(isOnly ? [rest] : [])].map(comparable);
    // The library would also remove the comments that follow.
    const cut = cutTable(text, place);
    if (wanted.includes(comparable(readOrUndefined(cut)))) return cut;
    return patch(text, isOnly ? rest : { ...rest, [place.key]: others });
  },
};

/** Without the lines of the table, and the empty line before it. */
function cutTable(text: string, { key, name }: EntryPlace): string {
  const lines = text.split(/(?<=\n)/);
  const isHeader = (line: string) => /^\s*\[/.test(line);
  const start = lines.findIndex(
    (line) => isHeader(line) && line.replace(/[\s"']|#.*/g, '') === `[${key}.${name}]`,
  );
  if (start < 0) return text;
  const next = lines.findIndex((line, index) => index > start && isHeader(line));
  const table = lines.slice(start, next < 0 ? lines.length : next);
  const length = table.findLastIndex((line) => !/^\s*(#|$)/.test(line)) + 1;
  const isAfterEmpty = start > 0 && lines[start - 1]?.trim() === '';
  return lines.toSpliced(isAfterEmpty ? start - 1 : start, isAfterEmpty ? length + 1 : length).join('');
}

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
