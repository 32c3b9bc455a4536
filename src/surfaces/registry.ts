import { TrellisError } from '../model/error.js';
import { memory } from './memory/surface.js';
import type { May } from './permission.js';
import type { Surface } from './surface.js';
import type { Tool } from './tool.js';

const surfaces: ReadonlyMap<string, Surface> = new Map([[memory.name, memory]]);

export const surfaceNames: readonly string[] = [...surfaces.keys()];

/** The surface of that name. */
export function surfaceNamed(name: string): Surface {
  const surface = surfaces.get(name);
  if (surface === undefined) {
    throw new TrellisError('USAGE', `There is no surface named ${JSON.stringify(name)}.`, {
      hint: `Use one of: ${surfaceNames.join(', ')}.`,
    });
  }
  return surface;
}

/** The tools of a surface its caller may use, in a fixed order: the same question always has the same answer. */
export function toolsOf(surface: Surface, may: May): readonly Tool[] {
  return surface.tools.filter((tool) => may(tool.permissions()));
}

/** The tool of that name, if the surface has it and its caller may use it. */
export function toolNamed(surface: Surface, may: May, name: string): Tool | undefined {
  const tool = surface.tools.find((candidate) => candidate.name === name);
  return tool !== undefined && may(tool.permissions()) ? tool : undefined;
}
