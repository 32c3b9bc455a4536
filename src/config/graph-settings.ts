import { checkCypherUrl } from '../cypher/cypher-settings.js';
import { builtInMethods } from '../gate/formula/open-formula.js';
import {
  formulaKeywords,
  type GateSettings,
  registryKeywords,
  unknownLabelPolicies,
} from '../gate/gate-settings.js';
import { isModulePath } from '../gate/operator-module.js';
import { checkReviewSettings } from '../gate/review/check-review-settings.js';
import { checkTrustedMethods } from '../gate/review/trust-rules.js';
import type { LlmSettings } from '../llm/llm-settings.js';
import { TrellisError } from '../model/error.js';
import type { StoredQuerySettings } from '../query/stored/stored-query.js';
import type { EmbedderSettings } from '../search/embedders/open-embedder.js';
import { defaultPerspectives, type Perspective, perspectivesOf } from '../search/perspectives.js';
import type { RerankSettings } from '../search/rerank/rerank-settings.js';
import { type GraphLimits, type SurfaceSettings, searchFallbacks } from '../surfaces/surface.js';
import { notExplicit, refuseRemoteModel, resolveEmbedding } from './embedding-settings.js';
import type { GateBlock, GraphBlock } from './file/config-shape.js';
import type { ConfigFile } from './file/read-config.js';
import { type Environment, resolvePath } from './paths.js';
import { resolveRerank } from './resolve-rerank.js';
import {
  defaultSetting,
  firstSetting,
  type Layer,
  type Setting,
  type SettingName,
} from './setting-layers.js';

export interface GraphSettings {
  readonly surface: Setting<string>;
  readonly schema: Setting<string | undefined>;
  readonly queries: readonly StoredQuerySettings[];
  readonly limits: GraphLimits;
  readonly mcp: Pick<SurfaceSettings, 'allowAdhoc' | 'storedQueryTools'>;
  readonly searchFallback: Setting<SurfaceSettings['searchFallback']>;
  readonly schemas: Setting<string | undefined>;
  readonly gate: { readonly [Key in keyof GateSettings]-?: Setting<GateSettings[Key]> };
  readonly llm: Setting<LlmSettings | undefined>;
  readonly embedding: Setting<EmbedderSettings>;
  readonly perspectives: Setting<readonly Perspective[]>;
  readonly rerank: Setting<RerankSettings>;
}

export interface ConfiguredGraph extends GraphSettings {
  readonly source: string;
}

interface GraphContext {
  /** Flags and environment, which win over the file. */
  readonly layers: readonly Layer[];
  readonly file: ConfigFile | undefined;
  /** The user named the file; one found in the working directory may be anybody's. */
  readonly isExplicit: boolean;
  readonly env: Environment;
}

export function configuredGraphs(context: GraphContext): Map<string, ConfiguredGraph> {
  const { file } = context;
  const graphs = Object.entries(file?.content.graphs ?? {});
  return new Map(
    graphs.map(([name]) => [
      name,
      { source: file?.sourceOf(['graphs', name]) ?? '', ...graphSettings(context, name) },
    ]),
  );
}

/** Flags and environment, then the block of the graph, then what the file says for all. */
export function graphSettings(context: GraphContext, name?: string): GraphSettings {
  const { file, env } = context;
  const own: GraphBlock = name === undefined ? {} : (file?.content.graphs?.[name] ?? {});
  const blocks = [
    { block: own, path: ['graphs', name ?? ''] },
    { block: { ...file?.content, surface: undefined, schema: undefined } satisfies GraphBlock, path: [] },
  ];
  const inFile = <T>(
    get: (block: GraphBlock) => T | undefined,
    key: readonly string[],
  ): Setting<T> | undefined => {
    for (const { block, path } of blocks) {
      const value = get(block);
      if (value !== undefined && file !== undefined)
        return { value, source: file.sourceOf([...path, ...key]) };
    }
    return undefined;
  };
  const ofGate = <Key extends keyof GateBlock>(key: Key) =>
    inFile((block) => block.gate?.[key], ['gate', key]) ?? defaultSetting(undefined);
  const path = (setting: Setting<string | undefined>, words: readonly string[] = []) =>
    fromFile(setting, words, file, env);
  const target = targetOf(context, ofGate('target'));
  const trust = ofGate('trust');
  const suspicious_text = ofGate('suspicious_text');
  checkReviewSettings({
    target: target.value,
    trust: trust.value,
    suspicious_text: suspicious_text.value,
  });
  const formula = path(ofGate('formula'), formulaKeywords);
  checkTrustedMethods(trust.value ?? [], builtInMethods(formula.value));
  const schema = path(inFile((block) => block.schema, ['schema']) ?? defaultSetting(undefined));
  return {
    surface: inFile((block) => block.surface, ['surface']) ?? surfaceFor(schema),
    schema,
    queries: queriesOf(own, name ?? '', context),
    limits: { rows: own.limits?.rows, readMs: own.limits?.read_ms, depth: own.limits?.depth },
    mcp: {
      allowAdhoc: file?.content.mcp?.allow_adhoc,
      storedQueryTools: file?.content.mcp?.stored_query_tools,
    },
    searchFallback:
      wordGiven(context.layers, 'searchFallback', searchFallbacks, 'search fallback') ??
      fallbackInFile(file) ??
      defaultSetting('ranked'),
    schemas:
      pathGiven(context, 'schemas') ??
      path(inFile((block) => block.schemas, ['schemas']) ?? defaultSetting(undefined)),
    gate: {
      registry: trusted(context, path(ofGate('registry'), registryKeywords)),
      unknown_label_policy:
        wordGiven(context.layers, 'unknownLabelPolicy', unknownLabelPolicies, 'policy') ??
        ofGate('unknown_label_policy'),
      fallback_label: ofGate('fallback_label'),
      formula: trusted(context, formula),
      conflicts: ofGate('conflicts'),
      ...{ trust, suspicious_text, target },
      database: ofGate('database'),
      auth: ofGate('auth'),
      schemaFile: pathGiven(context, 'gateSchema') ?? defaultSetting(undefined),
    },
    llm: languageModelOf(context),
    embedding: resolveEmbedding(context.file, context.isExplicit, context.env),
    perspectives: perspectivesFor(context, name),
    rerank: resolveRerank(context.file, context.isExplicit, context.env),
  };
}

function fallbackInFile(file: ConfigFile | undefined): GraphSettings['searchFallback'] | undefined {
  const value = file?.content.mcp?.search_fallback;
  if (file === undefined || value === undefined) return undefined;
  return { value, source: file.sourceOf(['mcp', 'search_fallback']) };
}

/** A graph changes some of the shared perspectives, or adds to them. */
function perspectivesFor({ file }: GraphContext, name?: string): Setting<readonly Perspective[]> {
  const shared = file?.content.embedding?.perspectives;
  const own = name === undefined ? undefined : file?.content.graphs?.[name]?.perspectives;
  if (file === undefined || (shared ?? own) === undefined) return defaultSetting(defaultPerspectives);
  return {
    value: perspectivesOf(own ?? [], shared),
    source: file.sourceOf(
      own === undefined ? ['embedding', 'perspectives'] : ['graphs', name ?? '', 'perspectives'],
    ),
  };
}

/** Typed graphs are there to be queried. */
function surfaceFor({ value, source }: Setting<string | undefined>): Setting<string> {
  return value === undefined ? defaultSetting('memory') : { value: 'graph', source };
}

function queriesOf(
  { queries = {} }: GraphBlock,
  graph: string,
  { file, env }: GraphContext,
): StoredQuerySettings[] {
  return Object.entries(queries).map(([name, { file: path, mcp }]) => ({
    name,
    file: resolvePath(path, env, file?.folder),
    expose: mcp?.expose,
    toolName: mcp?.tool_name,
    source: file?.sourceOf(['graphs', graph, 'queries', name]) ?? '',
  }));
}

function languageModelOf({ file, isExplicit }: GraphContext): Setting<LlmSettings | undefined> {
  const value = file?.content.llm;
  if (file === undefined || value === undefined) return defaultSetting(undefined);
  if (!isExplicit) refuseRemoteModel(file, 'llm');
  return { value, source: file.sourceOf(['llm']) };
}

export function surfaceSettings(settings: GraphSettings): SurfaceSettings {
  const {
    schema,
    queries,
    limits,
    mcp,
    searchFallback,
    schemas,
    gate,
    llm,
    embedding,
    perspectives,
    rerank,
  } = settings;
  return {
    schema: schema.value,
    queries,
    limits,
    ...mcp,
    searchFallback: searchFallback.value,
    schemas: schemas.value,
    llm: llm.value,
    embedding: embedding.value,
    perspectives: perspectives.value,
    rerank: rerank.value,
    gate: {
      registry: gate.registry.value,
      unknown_label_policy: gate.unknown_label_policy.value,
      fallback_label: gate.fallback_label.value,
      formula: gate.formula.value,
      conflicts: gate.conflicts.value,
      trust: gate.trust.value,
      suspicious_text: gate.suspicious_text.value,
      target: gate.target.value,
      database: gate.database.value,
      auth: gate.auth.value,
      schemaFile: gate.schemaFile.value,
    },
  };
}

/** Modules are executed, so only a file that the user named may name one. */
function trusted(
  { isExplicit }: GraphContext,
  setting: Setting<string | undefined>,
): Setting<string | undefined> {
  if (isExplicit || setting.value === undefined || !isModulePath(setting.value)) return setting;
  throw notExplicit(`${setting.source} names a module, which would be run.`);
}

/** A target receives what agents write, and the password that the file names. */
function targetOf(
  { layers, isExplicit }: GraphContext,
  inFile: Setting<string | undefined>,
): Setting<string | undefined> {
  const given = firstSetting(layers, 'target') ?? inFile;
  if (given === inFile && given.value !== undefined && !isExplicit)
    throw notExplicit(`${given.source} sends what agents write to a database.`);
  if (given.value !== undefined) checkCypherUrl(given.value);
  return given;
}

function pathGiven({ layers, env }: GraphContext, setting: SettingName): Setting<string> | undefined {
  for (const layer of layers) {
    const found = layer.get(setting);
    if (found === undefined) continue;
    if (found.value === '') throw new TrellisError('USAGE', `The path given with ${found.source} is empty.`);
    return { ...found, value: resolvePath(found.value, env, layer.folder) };
  }
  return undefined;
}

/** Paths in the file are relative to it, unless they are one of these words. */
function fromFile(
  { value, source }: Setting<string | undefined>,
  words: readonly string[],
  file: ConfigFile | undefined,
  env: Environment,
): Setting<string | undefined> {
  if (value === undefined || file === undefined || words.includes(value)) return { value, source };
  return { value: resolvePath(value, env, file.folder), source };
}

/** A flag or a variable that must be one of some words. */
function wordGiven<Word extends string>(
  layers: readonly Layer[],
  setting: SettingName,
  words: readonly Word[],
  what: string,
): Setting<Word> | undefined {
  const found = firstSetting(layers, setting);
  if (found === undefined) return undefined;
  const word = words.find((one) => one === found.value);
  if (word !== undefined) return { value: word, source: found.source };
  throw new TrellisError(
    'USAGE',
    `${found.source} is ${JSON.stringify(found.value)}, which is not a valid ${what}.`,
    { hint: `Use one of: ${words.join(', ')}.` },
  );
}
