import type { ConfigFile } from './file/read-config.js';
import { type Environment, resolvePath, withoutPassword } from './paths.js';
import type { Setting } from './setting-layers.js';

export interface FileOnlySetting extends Setting<string> {
  /** As in the file: `auth.tokens.file`. */
  readonly name: string;
  readonly isPath: boolean;
}

/** Shown with whatever wins. */
const overridableKeys: readonly string[] = ['server.host', 'server.port', 'mcp.search_fallback'];
const pathKeys: readonly string[] = ['file', 'jwks_file', 'schema'];

export function fileOnlySettings(file: ConfigFile | undefined, env: Environment): FileOnlySetting[] {
  if (file === undefined) return [];
  const { server, auth, policy, mcp, servers, graphs = {} } = file.content;
  const blocks = [
    { path: ['server'], block: server },
    { path: ['auth'], block: auth },
    { path: ['policy'], block: policy },
    { path: ['mcp'], block: mcp },
    { path: ['servers'], block: servers },
    ...Object.entries(graphs).map(([name, { policy: own, schema, queries, limits }]) => ({
      path: ['graphs', name],
      block: { policy: own, schema, queries, limits },
    })),
  ];
  return blocks
    .flatMap(({ path, block }) => leavesOf(block, path))
    .filter(({ path }) => !overridableKeys.includes(path.join('.')))
    .map(({ path, value }) => {
      const isPath = pathKeys.includes(path.at(-1) ?? '');
      return {
        name: path.join('.'),
        value: isPath ? resolvePath(value, env, file.folder) : withoutPassword(value),
        source: file.sourceOf(path),
        isPath,
      };
    });
}

interface Leaf {
  readonly path: readonly string[];
  readonly value: string;
}

function leavesOf(value: unknown, path: readonly string[]): Leaf[] {
  if (value === undefined) return [];
  // Arguments of a command may be secrets, and this output ends up in bug reports.
  if (path.at(-1) === 'command' && Array.isArray(value)) return [{ path, value: `${value[0]} …` }];
  if (Array.isArray(value)) return [{ path, value: value.join(', ') }];
  if (typeof value !== 'object' || value === null) return [{ path, value: String(value) }];
  return Object.entries(value).flatMap(([key, below]) => leavesOf(below, [...path, key]));
}
