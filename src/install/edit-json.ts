import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import type { ConfigEditor, EntryPlace } from './config-editor.js';
import { cutMember, insertMember, jsonAt, jsonLayout } from './insert-json-member.js';
import { lineAt, UnreadableConfig } from './unreadable-config.js';

/** JSON, with comments and trailing commas where the client allows them. */
export const jsonEditor: ConfigEditor = {
  read(text, place) {
    const { key, name } = place;
    const root = parseRoot(withoutMark(text), place);
    const found = root === undefined ? undefined : findNodeAtLocation(root, [key, name]);
    return found === undefined ? undefined : getNodeValue(found);
  },
  set: (text, place, value) =>
    editBody(text, (body) => {
      const { key, name } = place;
      const root = parseRoot(body, place);
      const layout = jsonLayout(body);
      if (root === undefined) return `${jsonAt({ [key]: { [name]: value } }, 0, layout)}\n`;
      const found = findNodeAtLocation(root, [key, name]);
      if (found !== undefined) {
        const end = found.offset + found.length;
        return body.slice(0, found.offset) + jsonAt(value, 2, layout) + body.slice(end);
      }
      const servers = findNodeAtLocation(root, [key]);
      return servers === undefined
        ? insertMember(body, root, { name: key, value: { [name]: value }, depth: 1 })
        : insertMember(body, servers, { name, value, depth: 2 });
    }),
  remove: (text, place) =>
    editBody(text, (body) => {
      const root = parseRoot(body, place);
      return root === undefined ? body : cutMember(body, root, [place.key, place.name]);
    }),
};

/** The parser does not know a byte order mark. */
function editBody(text: string, edit: (body: string) => string): string {
  const body = withoutMark(text);
  return text.slice(0, text.length - body.length) + edit(body);
}

function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** Undefined if there is nothing in the file. */
function parseRoot(body: string, { key, name }: EntryPlace): Node | undefined {
  const root = parseJsonObject(body, key);
  const servers = root === undefined ? undefined : findNodeAtLocation(root, [key]);
  if (servers !== undefined && servers.type !== 'object')
    throw new UnreadableConfig(`"${key}" is not an object`, lineAt(body, servers.offset));
  if (servers !== undefined) requireOnce(body, servers, name);
  return root;
}

/** Undefined if there is nothing in the file; `key` is what the caller edits. */
export function parseJsonObject(body: string, key: string): Node | undefined {
  if (body.trim() === '') return undefined;
  const errors: ParseError[] = [];
  const root = parseTree(body, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined)
    throw new UnreadableConfig(spaced(printParseErrorCode(first.error)), lineAt(body, first.offset));
  if (root?.type !== 'object') throw new UnreadableConfig('The file is not a JSON object', 1);
  requireOnce(body, root, key);
  return root;
}

/** Clients take the last of two members with one name, or refuse the file. */
function requireOnce(body: string, object: Node, name: string): void {
  const members = object.children?.filter(({ children }) => children?.[0]?.value === name) ?? [];
  const [, second] = members;
  if (second !== undefined)
    throw new UnreadableConfig(`"${name}" is there twice`, lineAt(body, second.offset));
}

/** `CommaExpected` becomes `comma expected`. */
function spaced(code: string): string {
  return code.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}
