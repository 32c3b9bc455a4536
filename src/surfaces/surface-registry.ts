import { TrellisError } from '../model/error.js';
import { onCommitsOfOthers } from '../search/embedding/on-commits-of-others.js';
import { embedAuthor } from '../search/embedding/properties/fill-vectors.js';
import { sharePropertyEmbedder } from '../search/embedding/properties/share-property-embedder.js';
import type { RequestContext } from './request-context.js';
import type { Resource, Surface, SurfaceContext, SurfaceFactory } from './surface.js';
import type { Tool } from './tool.js';

/** Loaded on demand: an agent that starts one surface does not wait for the others. */
const factories: ReadonlyMap<string, () => Promise<SurfaceFactory>> = new Map([
  ['memory', async () => (await import('./memory/memory-surface.js')).memoryFactory],
  ['mesh', async () => (await import('./mesh/mesh-surface.js')).meshFactory],
  ['workspace', async () => (await import('./workspace/workspace-surface.js')).workspaceFactory],
  ['graph', async () => (await import('./graph/graph-surface.js')).graphFactory],
  ['gate', async () => (await import('./gate/gate-surface.js')).gateFactory],
]);

export const surfaceNames: readonly string[] = [...factories.keys()];

export function checkSurfaceName(name: string): string {
  if (factories.has(name)) return name;
  throw new TrellisError('USAGE', `There is no surface named ${JSON.stringify(name)}.`, {
    hint: `Use one of: ${surfaceNames.join(', ')}.`,
  });
}

export async function openSurface(name: string, context: SurfaceContext): Promise<Surface> {
  const load = factories.get(checkSurfaceName(name));
  if (load === undefined) throw new TrellisError('INTERNAL', `The surface ${name} cannot be loaded.`);
  const surface = withEmbedding(await (await load()).open(context), context);
  const { suspicious_text: suspicious = 'off' } = context.settings.gate ?? {};
  if (suspicious === 'off') return surface;
  const { withTextWarnings } = await import('./with-text-warnings.js');
  return withTextWarnings(surface);
}

type SurfaceView = Pick<RequestContext, 'surface' | 'actor' | 'may'>;

/** In a fixed order. */
export function visibleTools(context: SurfaceView): readonly Tool[] {
  return context.surface.tools.filter((tool) => isToolVisible(tool, context));
}

export function visibleResources({ surface, may }: RequestContext): readonly Resource[] {
  return surface.resources.filter(({ action, branch }) => may([{ action, branch }]));
}

export function findResource({ surface, may }: RequestContext, uri: string): Resource | undefined {
  const resource = [...surface.resources, ...(surface.unlisted?.resources ?? [])].find(
    ({ uri: own, aliases = [] }) => own === uri || aliases.includes(uri),
  );
  if (resource === undefined) return undefined;
  const { action, branch } = resource;
  return may([{ action, branch }]) ? resource : undefined;
}

export function findTool(context: SurfaceView, name: string): Tool | undefined {
  const { tools, unlisted } = context.surface;
  const tool = [...tools, ...(unlisted?.tools ?? [])].find(
    (one) => one.name === name || one.aliases?.includes(name),
  );
  return tool !== undefined && isToolVisible(tool, context) ? tool : undefined;
}

/**
 * Over plain HTTP routes are no secret, so only the policy decides. Route-only tools come first: a stored query of the
 * same name must not replace one.
 */
export function findRoutedTool({ surface, may }: SurfaceView, name: string): Tool | undefined {
  const tool = [...(surface.routeOnlyTools ?? []), ...surface.tools].find((one) => one.name === name);
  return tool !== undefined && may(tool.permissions()) ? tool : undefined;
}

function isToolVisible(tool: Tool, context: SurfaceView): boolean {
  return context.may(tool.permissions()) && (context.surface.offers?.(tool, context) ?? true);
}

/** Fills the vectors that the graph schema derives from texts, whichever tool wrote them. */
function withEmbedding(surface: Surface, { store, graph, settings, warn }: SurfaceContext): Surface {
  if (!store.capabilities.schemas) return surface;
  const embedder = sharePropertyEmbedder(store, settings.embedding ?? { provider: 'local' }, warn);
  const wake = () => embedder.wake(graph);
  wake();
  const forgetOthers = onCommitsOfOthers(graph, wake);
  const forget = graph.onAnyCommit(({ actor, tool }) => {
    const isOwn = actor === embedAuthor.actor && tool === embedAuthor.tool;
    if (!isOwn) wake();
  });
  return {
    ...surface,
    get tools() {
      return surface.tools;
    },
    async close() {
      forget();
      forgetOthers();
      await embedder.release();
      await surface.close?.();
    },
  };
}
