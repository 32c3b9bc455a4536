import { readFile } from 'node:fs/promises';
import { packageFile } from '../file/package-files.js';
import { TrellisError } from '../model/error.js';
import { isRecord } from '../model/is-record.js';
import type { RequestContext } from '../surfaces/request-context.js';
import { visibleTools } from '../surfaces/surface-registry.js';

/** MCP Apps (SEP-1865): pages of a server that a client shows beside the results of its tools. */
export const appExtension = 'io.modelcontextprotocol/ui';

const uri = 'ui://trellis/explorer';
const mimeType = 'text/html;profile=mcp-app';

/** The tools whose results the page shows. */
const shownTools: ReadonlySet<string> = new Set([
  ...['read_graph', 'search_nodes', 'open_nodes', 'get_neighborhood'],
  ...['query', 'branches_merge'],
]);

/** The page needs nothing from any host: clients may forbid it every request. */
const resourceMeta = {
  ui: {
    csp: { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] },
    prefersBorder: true,
  },
};

export const explorerApp = {
  uri,
  name: 'explorer',
  title: 'Trellis explorer',
  description: 'A page for people that shows the results of tools, and lets them look further and correct.',
  mimeType,
  _meta: resourceMeta,
};

/** Names the page in the older way too. */
const toolMeta = { ui: { resourceUri: uri }, 'ui/resourceUri': uri };

export function appMeta(tool: string): { readonly _meta?: typeof toolMeta } {
  return shownTools.has(tool) ? { _meta: toolMeta } : {};
}

export function hasApp(context: RequestContext): boolean {
  return visibleTools(context).some(({ name }) => shownTools.has(name));
}

export function declaresApps(capabilities: unknown): boolean {
  const extensions = isRecord(capabilities) ? capabilities['extensions'] : undefined;
  const settings = isRecord(extensions) ? extensions[appExtension] : undefined;
  const mimeTypes = isRecord(settings) ? settings['mimeTypes'] : undefined;
  return Array.isArray(mimeTypes) && mimeTypes.includes(mimeType);
}

export async function readExplorerApp() {
  const file = packageFile('dist/bundle/explorer-app.html');
  const text = await readFile(file, 'utf8').catch(() => {
    throw new TrellisError('UNKNOWN_RESOURCE', 'The explorer was not built.', { details: { uri } });
  });
  return { contents: [{ uri, mimeType, text, _meta: resourceMeta }] };
}
