import type { StoredQuery } from '../../../query/stored/stored-query.js';
import type { Tool } from '../../tool.js';

const validToolName = /^[A-Za-z0-9_-]{1,64}$/;

/** Invalid names and names that another tool has. */
export function toolNameProblems(
  exposed: readonly Pick<StoredQuery, 'name' | 'namedAt' | 'toolName'>[],
  tools: readonly Tool[],
): readonly string[] {
  const taken = new Map<string, string>();
  for (const { name, aliases = [] } of tools) {
    taken.set(name, `the built-in tool ${name}`);
    for (const alias of aliases) taken.set(alias, `another name of the built-in tool ${name}, ${alias}`);
  }
  return exposed.flatMap((query) => {
    const which = `the stored query ${query.name} (${query.namedAt})`;
    const other = taken.get(query.toolName);
    if (other === undefined) taken.set(query.toolName, which);
    if (!validToolName.test(query.toolName))
      return [`${capital(which)} cannot be a tool named ${JSON.stringify(query.toolName)}.`];
    return other === undefined ? [] : [`${capital(which)} would be a tool of the same name as ${other}.`];
  });
}

export const toolNameHint =
  'Give it another with mcp.tool_name, of 1 to 64 letters, digits, _ or -; or mcp.expose: false.';

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
