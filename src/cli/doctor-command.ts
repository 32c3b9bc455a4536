import type { Command } from 'commander';
import { displayPath, settingLines, settingsAsJson } from '../config/describe-settings.js';
import { loadSettings, type Settings } from '../config/settings.js';
import { packageVersion } from '../server/package-version.js';
import { sqliteBinding } from '../store/sqlite/sqlite-binding.js';
import {
  type CommonOptions,
  graphOption,
  jsonOption,
  locationOptions,
  surfaceOptions,
} from './command-options.js';
import { checkConfiguredFiles, type FileFindings } from './configured-files/check-configured-files.js';
import { type DataHealth, examineData } from './doctor/examine-data.js';
import { type TriedModel, tryModels } from './doctor/try-models.js';
import { pluralize, print } from './print.js';

const maxProblems = 20;

const help = `
Prints the versions, every setting in force and where it came from, and where the data is, how much
there is and who can access it. Checks the store for damage and the schema files for errors, and
sends a small request to the embedder and the language model. Exits with 1 if there is a problem.

Examples:
  $ trellis doctor
  $ trellis doctor --file memory.jsonl --json
`;

export function define(command: Command): void {
  jsonOption(surfaceOptions(graphOption(locationOptions(command))))
    .addHelpText('after', help)
    .action(run);
}

async function run(options: CommonOptions): Promise<void> {
  const settings = await loadSettings(options);
  const data = await examineData(settings);
  const stored = new Set(data.graphs.map(({ name }) => name));
  const models = await tryModels(settings);
  const health = withModels(withFiles(data, await checkConfiguredFiles(settings, stored)), models);
  if (options.json) print(forPrograms(settings, programVersions(), health, models));
  else print(forPeople(settings, programVersions(), health, models));
  if (health.problems.length > 0) process.exitCode = 1;
}

function withFiles(data: DataHealth, files: FileFindings): DataHealth {
  return {
    ...data,
    problems: [...data.problems, ...files.problems],
    warnings: [...data.warnings, ...files.warnings],
  };
}

/** A model that does not respond is a problem: searches and reports are worse without it. */
function withModels(health: DataHealth, models: readonly TriedModel[]): DataHealth {
  const silent = models.flatMap(({ use, problem }) => (problem === undefined ? [] : [`${use}: ${problem}`]));
  return { ...health, problems: [...health.problems, ...silent] };
}

function forPrograms(
  settings: Settings,
  found: ProgramVersions,
  health: DataHealth,
  models: readonly TriedModel[],
): object {
  return {
    ok: health.problems.length === 0,
    versions: found,
    settings: settingsAsJson(settings),
    data: {
      location: displayPath(settings.location.value.path),
      exists: health.exists,
      kind: health.kind ?? null,
      versions: Object.fromEntries(health.versions ?? []),
      layout: health.layout ?? null,
      bytes: health.bytes ?? null,
      mode: health.mode ?? null,
      folder_mode: health.folderMode ?? null,
      graphs: health.graphs,
    },
    models: models.map(({ use, name, problem }) => ({ use, name, ok: problem === undefined })),
    problems: health.problems,
    warnings: health.warnings,
    notes: health.notes ?? [],
  };
}

function forPeople(
  settings: Settings,
  found: ProgramVersions,
  health: DataHealth,
  models: readonly TriedModel[],
): string {
  const lines = [
    `trellis ${found.trellis}, node ${found.node}, SQLite ${found.sqlite} (${found.binding})`,
    '',
    ...settingLines(settings),
    '',
    ...dataLines(health),
    ...models.flatMap(modelLine),
    ...notesOf(health).map((note) => `note: ${note}`),
    ...health.warnings.map((warning) => `warning: ${warning}`),
    ...health.problems.slice(0, maxProblems).map((problem) => `problem: ${problem}`),
  ];
  const more = health.problems.length - maxProblems;
  if (more > 0) lines.push(`and ${pluralize(more, 'more problem')}; --json lists them all`);
  if (health.exists && health.problems.length === 0) lines.push('No damage was found.');
  return lines.join('\n');
}

/** The local embedder is part of the package, so it is not worth a line. */
function modelLine({ use, name, answer }: TriedModel): string[] {
  if (answer === undefined || name === 'local') return [];
  return [`${use}: ${name} answers with ${answer}`];
}

function notesOf({ notes = [] }: DataHealth): string[] {
  const more = notes.length - maxProblems;
  const shown = notes.slice(0, maxProblems);
  return more > 0 ? [...shown, `and ${pluralize(more, 'more such line')}; --json lists them all`] : shown;
}

function dataLines(health: DataHealth): string[] {
  const { exists, kind, layout, bytes, mode, folderMode, graphs, versions = new Map() } = health;
  if (!exists)
    return ['Nothing is stored there yet: trellis serve, trellis stdio or trellis import creates it.'];
  const facts = [
    kind,
    ...[...versions].map(([name, version]) => `${name} ${version}`),
    layout,
    bytes === undefined ? undefined : size(bytes),
    mode === undefined ? undefined : `mode ${mode}`,
    folderMode === undefined ? undefined : `in a folder of mode ${folderMode}`,
  ].filter((fact) => fact !== undefined);
  return [
    ...(facts.length === 0 ? [] : [`The data: ${facts.join(', ')}`]),
    ...graphs.map(
      (graph) =>
        `  ${graph.name}: ${pluralize(graph.nodes, 'node')}, ${pluralize(graph.observations, 'observation')}, ${pluralize(graph.edges, 'edge')}`,
    ),
  ];
}

function size(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  const step = bytes === 0 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** step).toFixed(step === 0 ? 0 : 1)} ${units[step]}`;
}

interface ProgramVersions {
  readonly trellis: string;
  readonly node: string;
  readonly sqlite: string;
  readonly binding: string;
}

function programVersions(): ProgramVersions {
  const database = new sqliteBinding.Database(':memory:');
  try {
    const row = database.prepare('select sqlite_version() as version').get();
    const sqlite =
      typeof row === 'object' && row !== null && 'version' in row ? String(row.version) : 'unknown';
    return { trellis: packageVersion(), node: process.versions.node, sqlite, binding: sqliteBinding.name };
  } finally {
    database.close();
  }
}
