import { TrellisError } from '../model/error.js';
import { defaultGraph } from '../model/graph.js';
import { defaultStorePath, type Environment, isUrl, resolvePath, variable } from './paths.js';

/** A value and where it came from, in words a person can act on. */
export interface Setting<T> {
  readonly value: T;
  /** `default`, `--store`, `TRELLIS_STORE`, … */
  readonly source: string;
}

/** A file is always JSON lines unless it ends in `.db`; the kind of a store follows from its ending. */
export interface Location {
  readonly kind: 'file' | 'store';
  /** An absolute path, or a URL. */
  readonly path: string;
}

export interface Settings {
  readonly location: Setting<Location>;
  readonly graph: Setting<string>;
  readonly surface: Setting<string>;
  readonly host: Setting<string>;
  readonly port: Setting<number>;
}

export type SettingName = 'file' | 'store' | 'graph' | 'surface' | 'host' | 'port';

/** One place that settings come from. */
interface Layer {
  readonly values: Readonly<Partial<Record<SettingName, string | undefined>>>;
  /** What a person calls this setting in this place. */
  nameOf(setting: SettingName): string;
}

/** The environment variables that stand for settings. */
export const environmentVariables: Readonly<Record<SettingName, string>> = {
  file: 'MEMORY_FILE_PATH',
  store: 'TRELLIS_STORE',
  graph: 'TRELLIS_GRAPH',
  surface: 'TRELLIS_SURFACE',
  host: 'TRELLIS_SERVER_HOST',
  port: 'TRELLIS_SERVER_PORT',
};

export type Flags = Readonly<Partial<Record<SettingName, string | undefined>>>;

/** Settles every setting: flags win over the environment, and that over the defaults. */
export function resolveSettings(flags: Flags, env: Environment = process.env): Settings {
  // A configuration file becomes one more layer, after the environment.
  const layers: readonly Layer[] = [flagLayer(flags), environmentLayer(env)];
  return {
    location: resolveLocation(layers, env),
    graph: firstOf(layers, 'graph') ?? byDefault(defaultGraph),
    surface: firstOf(layers, 'surface') ?? byDefault('memory'),
    host: firstOf(layers, 'host') ?? byDefault('127.0.0.1'),
    port: resolvePort(firstOf(layers, 'port')),
  };
}

function flagLayer(values: Flags): Layer {
  return { values, nameOf: (setting) => `--${setting}` };
}

function environmentLayer(env: Environment): Layer {
  const names = Object.entries(environmentVariables);
  return {
    values: Object.fromEntries(names.map(([setting, name]) => [setting, variable(env, name)])),
    nameOf: (setting) => environmentVariables[setting],
  };
}

function byDefault<T>(value: T): Setting<T> {
  return { value, source: 'default' };
}

function firstOf(layers: readonly Layer[], setting: SettingName): Setting<string> | undefined {
  for (const layer of layers) {
    const value = layer.values[setting];
    if (value !== undefined) return { value, source: layer.nameOf(setting) };
  }
  return undefined;
}

/** A file and a store are two answers to one question, so one place may give only one of them. */
function resolveLocation(layers: readonly Layer[], env: Environment): Setting<Location> {
  for (const layer of layers) {
    const { file, store } = layer.values;
    if (file !== undefined && store !== undefined) {
      throw new TrellisError(
        'USAGE',
        `${layer.nameOf('file')} and ${layer.nameOf('store')} are both given.`,
        {
          hint: 'Give one of them: they both say where the data is.',
        },
      );
    }
    if (file !== undefined) return { value: locate('file', file, env), source: layer.nameOf('file') };
    if (store !== undefined) return { value: locate('store', store, env), source: layer.nameOf('store') };
  }
  return byDefault({ kind: 'store', path: defaultStorePath(env) });
}

function locate(kind: Location['kind'], path: string, env: Environment): Location {
  if (path === '') throw new TrellisError('USAGE', `The path given with --${kind} is empty.`);
  if (kind === 'file' && isUrl(path)) {
    throw new TrellisError('USAGE', 'A URL names a store, not a file.', {
      hint: 'Give it with --store or TRELLIS_STORE.',
    });
  }
  return { kind, path: isUrl(path) ? path : resolvePath(path, env) };
}

function resolvePort(setting: Setting<string> | undefined): Setting<number> {
  if (setting === undefined) return byDefault(8765);
  const port = /^\d{1,5}$/.test(setting.value) ? Number(setting.value) : Number.NaN;
  if (Number.isNaN(port) || port > 65_535) {
    throw new TrellisError(
      'USAGE',
      `${setting.source} is ${JSON.stringify(setting.value)}, which is no port.`,
      {
        hint: 'Give a number from 0 to 65535; 0 takes any free port.',
      },
    );
  }
  return { value: port, source: setting.source };
}
