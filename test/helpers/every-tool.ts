import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Graph } from '../../src/engine/graph.js';
import { defaultGraph } from '../../src/model/graph-record.js';
import { runTool } from '../../src/surfaces/dispatch.js';
import { plainGraphSurface } from '../../src/surfaces/graph/graph-surface.js';
import { serverSurface } from '../../src/surfaces/graph/server-surface.js';
import type { Surface, SurfaceSettings } from '../../src/surfaces/surface.js';
import { surfaceNames } from '../../src/surfaces/surface-registry.js';
import type { Tool } from '../../src/surfaces/tool.js';
import { scratchFolder, scratchStore, sqlite } from './stores.js';
import { requestContextOn, surfaceOn } from './surfaces.js';

export interface ListedTool {
  readonly surface: string;
  readonly tool: Tool;
}

/** What a parameter of a query can be. */
const types = 'String Blob Bool I32 U32 I64 U64 F32 F64 DateTime Date [String] Vector(3)'.split(' ');
const queries: Readonly<Record<string, string>> = {
  everything: `query everything(${types.flatMap((type, index) => [`$p${index}: ${type}`, `$n${index}: ${type}?`]).join(', ')}) {
    match { $t: Thing }
    return { $t.name }
  }`,
  add_thing: 'query add_thing($name: String) { insert Thing { name: $name } }',
  things: 'query things() { match { $t: Thing } return { $t.name } }',
};

/** Every tool of every surface, generated ones included: those of all schema files in the package, and of stored queries. */
export async function everyTool(): Promise<readonly ListedTool[]> {
  const folder = await scratchFolder();
  const scratch = await scratchStore(sqlite);
  const { store } = scratch;
  const surfaces: Surface[] = [serverSurface];
  try {
    const schema = 'node Thing { name: String @key }';
    await runTool(requestContextOn(plainGraphSurface, new Graph(store, defaultGraph)), 'schema_apply', {
      schema,
    });
    const stored = await Promise.all(
      Object.entries(queries).map(async ([name, text]) => {
        const file = join(folder, `${name}.gq`);
        await writeFile(file, text);
        return { name, file, source: 'test' };
      }),
    );
    const settings: SurfaceSettings[] = [
      { schemas: packaged('rpg'), queries: stored, storedQueryTools: 'each' },
      { schemas: packaged('work'), queries: stored, storedQueryTools: 'pair' },
    ];
    for (const name of surfaceNames) {
      for (const one of settings) surfaces.push(await surfaceOn(name, { store, settings: one }));
    }
    return withoutRepetition(surfaces);
  } finally {
    for (const surface of surfaces) await surface.close?.();
    await scratch.dispose();
    await rm(folder, { recursive: true });
  }
}

function withoutRepetition(surfaces: readonly Surface[]): readonly ListedTool[] {
  const byName = new Map<string, ListedTool>();
  for (const { name: surface, tools, routeOnlyTools = [] } of surfaces) {
    for (const tool of [...tools, ...routeOnlyTools])
      byName.set(`${surface}.${tool.name}`, { surface, tool });
  }
  return [...byName.values()];
}

function packaged(set: string): string {
  return fileURLToPath(new URL(`../../schemas/${set}`, import.meta.url));
}
