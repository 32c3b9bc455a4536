import { join } from 'node:path';
import { pathExists } from '../file/path-exists.js';
import { TrellisError } from '../model/error.js';
import { defaultGraph } from '../model/graph-record.js';
import { defaultHost, defaultPort } from '../server/http/http-options.js';
import type { ConfigFile } from './file/read-config.js';
import { type FileOnlySetting, fileOnlySettings } from './file-only-settings.js';
import {
  type ConfiguredGraph,
  configuredGraphs,
  type GraphSettings,
  graphSettings,
} from './graph-settings.js';
import { defaultStorePath, type Environment, isUrl, resolvePath } from './paths.js';
import { type ServerSettings, serverSettings } from './server-settings.js';
import {
  defaultSetting,
  environmentLayer,
  type Flags,
  fileLayer,
  firstSetting,
  flagLayer,
  type Layer,
  type Setting,
} from './setting-layers.js';

/** A file is always JSON lines unless it ends in `.db`; the kind of a store follows from its ending. */
export interface StoreLocation {
  readonly kind: 'file' | 'store';
  readonly path: string;
}

export interface Settings {
  readonly config: Setting<string | undefined>;
  readonly location: Setting<StoreLocation>;
  /** What one agent gets: over stdio, and at `/mcp`. */
  readonly graph: Setting<string>;
  readonly surface: Setting<string>;
  /** The file names several graphs, and nobody chose one. */
  readonly hasSeveralGraphs: boolean;
  readonly host: Setting<string>;
  readonly port: Setting<number>;
  readonly server: ServerSettings;
  readonly fileOnly: readonly FileOnlySetting[];
  /** Created at start. */
  readonly graphs: ReadonlyMap<string, ConfiguredGraph>;
  /** For every other graph. */
  readonly defaults: GraphSettings;
}

export interface FoundConfig {
  readonly file: ConfigFile;
  readonly source: string;
  /** A flag or a variable names it; otherwise it was found in the working directory. */
  readonly isExplicit: boolean;
}

/** Flags win over the environment, the environment over the file, the file over the defaults. */
export function resolveSettings(
  flags: Flags,
  env: Environment,
  config: FoundConfig | undefined,
  cwd: string = process.cwd(),
): Settings {
  const given = [flagLayer(flags, cwd), environmentLayer(env, cwd)];
  const layers = config === undefined ? given : [...given, fileLayer(config.file)];
  const context = { layers: given, file: config?.file, isExplicit: config?.isExplicit ?? false, env };
  const graphs = configuredGraphs(context);
  return {
    config:
      config === undefined ? defaultSetting(undefined) : { value: config.file.path, source: config.source },
    location: resolveLocation(layers, env),
    ...chooseGraph(given, graphs),
    host: firstSetting(layers, 'host') ?? defaultSetting(defaultHost),
    port: resolvePort(firstSetting(layers, 'port')),
    server: serverSettings(config?.file, env),
    fileOnly: fileOnlySettings(config?.file, env),
    graphs,
    defaults: graphSettings(context),
  };
}

export function settingsOfGraph({ graphs, defaults }: Settings, graph: string): GraphSettings {
  return graphs.get(graph) ?? defaults;
}

/**
 * If the file names several graphs and nobody chose one, `/mcp` serves the whole server; `default`, or else the first, is
 * used where one graph is needed.
 */
function chooseGraph(
  given: readonly Layer[],
  graphs: ReadonlyMap<string, ConfiguredGraph>,
): Pick<Settings, 'graph' | 'surface' | 'hasSeveralGraphs'> {
  const surface = firstSetting(given, 'surface');
  const chosen = firstSetting(given, 'graph');
  if (chosen !== undefined)
    return {
      graph: chosen,
      surface: surface ?? graphs.get(chosen.value)?.surface ?? defaultSetting('memory'),
      hasSeveralGraphs: false,
    };
  const [first] = graphs;
  if (first === undefined)
    return {
      graph: defaultSetting(defaultGraph),
      surface: surface ?? defaultSetting('memory'),
      hasSeveralGraphs: false,
    };
  const [name, { source, surface: own }] = first;
  if (graphs.size === 1)
    return { graph: { value: name, source }, surface: surface ?? own, hasSeveralGraphs: false };
  const standIn = graphs.has(defaultGraph) ? defaultGraph : name;
  return {
    graph: { value: standIn, source: graphs.get(standIn)?.source ?? source },
    surface: surface ?? defaultSetting('memory'),
    hasSeveralGraphs: true,
  };
}

/** A file and a store both say where the data is, so a layer may give only one. */
function resolveLocation(layers: readonly Layer[], env: Environment): Setting<StoreLocation> {
  for (const layer of layers) {
    const [file, store] = [layer.get('file'), layer.get('store')];
    if (file !== undefined && store !== undefined)
      throw new TrellisError('USAGE', `${file.source} and ${store.source} are both given.`, {
        hint: 'Give one of them: they both say where the data is.',
      });
    if (file !== undefined) return locate('file', file, env, layer.folder);
    if (store !== undefined) return locate('store', store, env, layer.folder);
  }
  return defaultSetting({ kind: 'store', path: defaultStorePath(env) });
}

function locate(
  kind: StoreLocation['kind'],
  { value: path, source }: Setting<string>,
  env: Environment,
  folder: string,
): Setting<StoreLocation> {
  if (path === '') throw new TrellisError('USAGE', `The path given with --${kind} is empty.`);
  if (kind === 'file' && isUrl(path))
    throw new TrellisError('USAGE', 'A URL names a store, not a file.', {
      hint: 'Give it with --store or TRELLIS_STORE.',
    });
  return { value: { kind, path: isUrl(path) ? path : resolvePath(path, env, folder) }, source };
}

function resolvePort(setting: Setting<string> | undefined): Setting<number> {
  if (setting === undefined) return defaultSetting(defaultPort);
  const port = /^\d{1,5}$/.test(setting.value) ? Number(setting.value) : Number.NaN;
  if (Number.isNaN(port) || port > 65_535)
    throw new TrellisError(
      'USAGE',
      `${setting.source} is ${JSON.stringify(setting.value)}, which is not a port.`,
      { hint: 'Give a number from 0 to 65535; 0 takes any free port.' },
    );
  return { value: port, source: setting.source };
}

export const configName = 'trellis.yaml';

export async function loadSettings(
  flags: Flags,
  env: Environment = process.env,
  cwd: string = process.cwd(),
): Promise<Settings> {
  return resolveSettings(flags, env, await findConfig(flags, env, cwd), cwd);
}

/** The one the user named, or the one in the working directory. */
export async function findConfig(
  flags: Flags,
  env: Environment,
  cwd: string,
): Promise<FoundConfig | undefined> {
  const given = firstSetting([flagLayer(flags, cwd), environmentLayer(env, cwd)], 'config');
  if (given?.value === '') throw new TrellisError('USAGE', `The path given with ${given.source} is empty.`);
  const path = given === undefined ? join(cwd, configName) : resolvePath(given.value, env, cwd);
  if (given === undefined && !(await pathExists(path))) return undefined;
  // Loading YAML takes time, and most users have no such file.
  const { readConfig } = await import('./file/read-config.js');
  return {
    file: await readConfig(path, cwd),
    source: given?.source ?? 'the working directory',
    isExplicit: given !== undefined,
  };
}
