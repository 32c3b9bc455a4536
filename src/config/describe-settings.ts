import type { GateSettings } from '../gate/gate-settings.js';
import type { LlmSettings } from '../llm/llm-settings.js';
import type { EmbedderSettings } from '../search/embedders/open-embedder.js';
import type { RerankSettings } from '../search/rerank/rerank-settings.js';
import { publicLocation } from '../store/postgres/public-location.js';
import type { GraphSettings } from './graph-settings.js';
import { isUrl, withoutPassword } from './paths.js';
import type { Setting } from './setting-layers.js';
import type { Settings } from './settings.js';

export interface SettingRow {
  readonly name: string;
  readonly value: string;
  readonly source: string;
}

/** For a graph, only what differs from the rest. */
function settingRows(settings: Settings): SettingRow[] {
  const { config, location, graph, surface, host, port, fileOnly, graphs, defaults } = settings;
  return [
    row('config', config),
    { name: 'store', value: displayPath(location.value.path), source: location.source },
    row('graph', graph),
    row('surface', surface),
    {
      name: 'server',
      value: `${host.value}:${port.value}`,
      source: [...new Set([host.source, port.source])].join(', '),
    },
    ...fileOnly,
    ...[row('search fallback', defaults.searchFallback)].filter(({ source }) => source !== 'default'),
    row('schemas', defaults.schemas),
    row('gate schema', defaults.gate.schemaFile),
    ...gateRows(defaults).filter(({ source }) => source !== 'default'),
    ...embeddingRows(defaults),
    ...llmRows(defaults),
    ...rerankRows(defaults),
    ...[...graphs].flatMap(([name, own]) => ownRows(name, own, defaults)),
  ];
}

export function settingLines(settings: Settings): string[] {
  const rows = settingRows(settings);
  const width = Math.max(...rows.map(({ name }) => name.length)) + 2;
  return rows.map(({ name, value, source }) => `  ${name.padEnd(width)}${value}  (${source})`);
}

/** Null where there is no value. */
export function settingsAsJson(settings: Settings): object {
  const { config, location, graph, surface, host, port, fileOnly, graphs, defaults } = settings;
  return {
    config: settingAsJson(config),
    store: { value: displayPath(location.value.path), source: location.source },
    graph,
    surface,
    server_host: host,
    server_port: port,
    ...Object.fromEntries(fileOnly.map(({ name, value, source }) => [name, { value, source }])),
    ...graphSettingsAsJson(defaults),
    graphs: Object.fromEntries(
      [...graphs].map(([name, own]) => [
        name,
        { source: own.source, surface: own.surface, ...graphSettingsAsJson(own) },
      ]),
    ),
  };
}

/** A URL may contain a password. */
export function displayPath(path: string): string {
  return isUrl(path) ? publicLocation(path) : path;
}

function row(name: string, { value, source }: Setting<string | undefined>): SettingRow {
  return { name, value: value ?? 'none', source };
}

function embeddingRows({ embedding, perspectives }: GraphSettings): SettingRow[] {
  const { provider, model } = embedding.value;
  return [
    { name: 'embedding', value: [provider, model].filter(Boolean).join(' '), source: embedding.source },
    ...perspectiveRows(perspectives),
  ];
}

function perspectiveRows({ value, source }: GraphSettings['perspectives']): SettingRow[] {
  if (source === 'default') return [];
  return [{ name: 'perspectives', value: value.map(({ name }) => name).join(', '), source }];
}

function llmRows({ llm: { value, source } }: GraphSettings): SettingRow[] {
  if (value === undefined) return [];
  return [{ name: 'llm', value: [value.provider ?? 'none', value.model].filter(Boolean).join(' '), source }];
}

function rerankRows({ rerank: { value, source } }: GraphSettings): SettingRow[] {
  if (source === 'default') return [];
  return [{ name: 'rerank', value: [value.provider, value.model].filter(Boolean).join(' '), source }];
}

function gateRows({ gate }: GraphSettings): SettingRow[] {
  const { schemaFile: _, auth, trust, ...block } = gate;
  const { value, source } = auth;
  const text = value === undefined ? undefined : `${value.user}, password in ${value.password_env}`;
  return [
    ...Object.entries(block).map(([key, setting]) => row(`gate.${key}`, setting)),
    row('gate.trust', { value: trustText(trust.value), source: trust.source }),
    row('gate.auth', { value: text, source }),
  ];
}

function trustText(rules: GateSettings['trust']): string | undefined {
  return rules
    ?.map(({ below, methods, branch }) => {
      const conditions = [
        ...(below === undefined ? [] : [`below ${below}`]),
        ...(methods === undefined ? [] : [methods.join(' or ')]),
      ];
      return `${conditions.join(' and ')} on ${branch}`;
    })
    .join(', ');
}

function ownRows(
  name: string,
  own: GraphSettings & { readonly source: string },
  others: GraphSettings,
): SettingRow[] {
  const common = new Set(
    [...gateRows(others), row('schemas', others.schemas), ...perspectiveRows(others.perspectives)].map(
      ({ source }) => source,
    ),
  );
  const rows = [row('schemas', own.schemas), ...gateRows(own), ...perspectiveRows(own.perspectives)].filter(
    ({ source }) => !common.has(source) && source !== 'default',
  );
  return [row('surface', own.surface), ...rows].map((one) => ({
    ...one,
    name: `graphs.${name}.${one.name}`,
  }));
}

function graphSettingsAsJson(settings: GraphSettings): object {
  const {
    searchFallback,
    schemas,
    gate: { schemaFile, auth, trust, ...gate },
    embedding,
    perspectives,
    llm,
    rerank,
  } = settings;
  return {
    search_fallback: settingAsJson(searchFallback),
    schemas: settingAsJson(schemas),
    gate_schema: settingAsJson(schemaFile),
    gate: {
      ...Object.fromEntries(Object.entries(gate).map(([key, setting]) => [key, settingAsJson(setting)])),
      trust: settingAsJson(trust),
      auth: { value: auth.value ?? null, source: auth.source },
    },
    embedding: {
      value: { ...modelAsJson(embedding.value), meaning_weight: embedding.value.meaningWeight ?? null },
      source: embedding.source,
    },
    perspectives,
    llm: { value: llm.value === undefined ? null : modelAsJson(llm.value), source: llm.source },
    rerank: { value: modelAsJson(rerank.value), source: rerank.source },
  };
}

/** Without API keys and passwords. */
function modelAsJson({
  provider = 'none',
  model,
  url,
}: EmbedderSettings | LlmSettings | RerankSettings): object {
  return { provider, model: model ?? null, url: url === undefined ? null : withoutPassword(url) };
}

function settingAsJson<T>({ value, source }: Setting<T>): Setting<T | null> {
  return { value: value ?? null, source };
}
