import type { ConfigFile } from './file/read-config.js';
import { type Environment, environmentVariable } from './paths.js';

export interface Setting<T> {
  readonly value: T;
  /** `default`, `--store`, `TRELLIS_STORE`, `trellis.yaml:3`, … */
  readonly source: string;
}

export const environmentVariables = {
  config: 'TRELLIS_CONFIG',
  file: 'MEMORY_FILE_PATH',
  store: 'TRELLIS_STORE',
  graph: 'TRELLIS_GRAPH',
  surface: 'TRELLIS_SURFACE',
  host: 'TRELLIS_SERVER_HOST',
  port: 'TRELLIS_SERVER_PORT',
  schemas: 'TRELLIS_SCHEMAS',
  searchFallback: 'TRELLIS_SEARCH_FALLBACK',
  gateSchema: 'TRELLIS_GATE_SCHEMA',
  target: 'TRELLIS_GATE_TARGET',
  unknownLabelPolicy: 'WRITE_GATE_UNKNOWN_LABEL_POLICY',
} as const;

export type SettingName = keyof typeof environmentVariables;

export type Flags = Readonly<Partial<Record<SettingName, string | undefined>>>;

export interface Layer {
  get(setting: SettingName): Setting<string> | undefined;
  /** As users call it: `--store`, `TRELLIS_STORE`. */
  nameOf(setting: SettingName): string;
  readonly folder: string;
}

export function flagLayer(flags: Flags, cwd: string): Layer {
  const nameOf = (setting: SettingName) =>
    `--${setting.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return layer(cwd, nameOf, (setting) => flags[setting]);
}

export function environmentLayer(env: Environment, cwd: string): Layer {
  const nameOf = (setting: SettingName) => environmentVariables[setting];
  return layer(cwd, nameOf, (setting) => environmentVariable(env, nameOf(setting)));
}

export function fileLayer(file: ConfigFile): Layer {
  const { store, schemas, server } = file.content;
  const given: Partial<Record<SettingName, { value: string | undefined; path: readonly string[] }>> = {
    store: { value: store, path: ['store'] },
    schemas: { value: schemas, path: ['schemas'] },
    host: { value: server?.host, path: ['server', 'host'] },
    port: { value: server?.port?.toString(), path: ['server', 'port'] },
  };
  return layer(
    file.folder,
    (setting) => file.sourceOf(given[setting]?.path ?? []),
    (setting) => given[setting]?.value,
  );
}

function layer(
  folder: string,
  nameOf: Layer['nameOf'],
  valueOfSetting: (setting: SettingName) => string | undefined,
): Layer {
  return {
    folder,
    nameOf,
    get(setting) {
      const value = valueOfSetting(setting);
      return value === undefined ? undefined : { value, source: nameOf(setting) };
    },
  };
}

export function defaultSetting<T>(value: T): Setting<T> {
  return { value, source: 'default' };
}

export function firstSetting(layers: readonly Layer[], setting: SettingName): Setting<string> | undefined {
  for (const one of layers) {
    const found = one.get(setting);
    if (found !== undefined) return found;
  }
  return undefined;
}
