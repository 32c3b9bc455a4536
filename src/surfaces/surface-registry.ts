import { TrellisError } from '../model/error.js';
import { embedAuthor } from '../search/embedding/properties/fill-vectors.js';
import { sharePropertyEmbedder } from '../search/embedding/properties/share-property-embedder.js';
import type { RequestContext } from './request-context.js';
import type { Resource, Surface, SurfaceContext, SurfaceFactory } from './surface.js';
import type { Tool } from './tool.js';

/** Loaded when they are asked for: an agent that starts one surface does not wait for the others. */
const factories: ReadonlyMap<string, () => Promise<SurfaceFactory>> = new Map([
  ['memory', async () => (await import('./memory/memory-surface.js')).memoryFactory],
  ['mesh', async () => (await import('./mesh/mesh-surface.js')).meshFactory],
  ['workspace', async () => (await import('./workspace/workspace-surface.js')).workspaceFactory],
  ['graph', async () => (await import('./graph/graph-surface.js')).graphFactory],
  ['gate', async () => (await import('./gate/gate-surface.js')).gateFactory],
]);

export const surfaceNames: readonly string[] = [...factories.keys()];

/** Refuses a name that no surface has. */
export function checkSurfaceName(name: string): string {
  if (factories.has(name)) return name;
  throw new TrellisError('USAGE', `There is no surface named ${JSON.stringify(name)}.`, {
    hint: `Use one of: ${surfaceNames.join(', ')}.`,
  });
}

/** Opens the surface of that name on a graph. */
export async function openSurface(name: string, context: SurfaceContext): Promise<Surface> {
  const load = factories.get(checkSurfaceName(name));
  if (load === undefined) throw new TrellisError('INTERNAL', `The surface ${name} cannot be loaded.`);
  return withEmbedding(await (await load()).open(context), context);
}

type SurfaceView = Pick<RequestContext, 'surface' | 'actor' | 'may'>;

/** The tools of a surface its caller may use over MCP, in a fixed order: the same question always has the same answer. */
export function visibleTools(context: SurfaceView): readonly Tool[] {
  return context.surface.tools.filter((tool) => isToolVisible(tool, context));
}

/** The resources of a surface its caller may read. */
export function visibleResources({ surface, may }: RequestContext): readonly Resource[] {
  return surface.resources.filter(({ action, branch }) => may([{ action, branch }]));
}

/** The resource of that address, or another that it answers to, if its caller may read it. */
export function findResource({ surface, may }: RequestContext, uri: string): Resource | undefined {
  const resource = surface.resources.find(
    ({ uri: own, aliases = [] }) => own === uri || aliases.includes(uri),
  );
  if (resource === undefined) return undefined;
  const { action, branch } = resource;
  return may([{ action, branch }]) ? resource : undefined;
}

/** The tool of that name, if MCP offers it to its caller, who may use it. */
export function findTool(context: SurfaceView, name: string): Tool | undefined {
  const tool = context.surface.tools.find((candidate) => hasToolName(candidate, name));
  return tool !== undefined && isToolVisible(tool, context) ? tool : undefined;
}

/**
 * The tool of that name for plain HTTP, where routes are no secret and the policy alone decides. What only a route reaches
 * comes first: a stored query may have its name, and must not take its place.
 */
export function findRoutedTool({ surface, may }: SurfaceView, name: string): Tool | undefined {
  const tool = [...(surface.routeOnlyTools ?? []), ...surface.tools].find(
    (candidate) => candidate.name === name,
  );
  return tool !== undefined && may(tool.permissions()) ? tool : undefined;
}

function isToolVisible(tool: Tool, context: SurfaceView): boolean {
  return context.may(tool.permissions()) && (context.surface.offers?.(tool, context) ?? true);
}

function hasToolName({ name, aliases = [] }: Tool, asked: string): boolean {
  return name === asked || aliases.includes(asked);
}

/** A surface behind which the vectors are filled that the graph's schema has made of texts, whichever tool wrote those. */
function withEmbedding(surface: Surface, { store, graph, settings, warn }: SurfaceContext): Surface {
  if (!store.capabilities.schemas) return surface;
  const embedder = sharePropertyEmbedder(store, settings.embedding ?? { provider: 'local' }, warn);
  embedder.wake(graph);
  const forget = graph.onAnyCommit(({ actor, tool }) => {
    const isOwn = actor === embedAuthor.actor && tool === embedAuthor.tool;
    if (!isOwn) embedder.wake(graph);
  });
  return {
    ...surface,
    get tools() {
      return surface.tools;
    },
    async close() {
      forget();
      await embedder.release();
      await surface.close?.();
    },
  };
}
