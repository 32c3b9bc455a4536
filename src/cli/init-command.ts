import { readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { type Command, Option } from 'commander';
import { resolvePath } from '../config/paths.js';
import { configName } from '../config/settings.js';
import { errnoOf } from '../file/file-errors.js';
import { packageFile } from '../file/package-files.js';
import { reasonOf, TrellisError } from '../model/error.js';
import { type SampleSet, sampleSets } from '../schema/mesh/mesh-schema-samples.js';
import { jsonOption } from './command-options.js';
import { copySamples } from './init/copy-samples.js';
import { pluralize, print } from './print.js';

interface InitOptions {
  readonly schemas?: SampleSet;
  readonly json?: boolean;
}

const help = `
Writes ${configName} with every setting explained and commented out, so that it changes nothing
until you edit it. Trellis reads the one in the working directory.

With --schemas it copies sample mesh schemas: work has people, projects, tasks, decisions,
documents, organisations and events; rpg has characters, places, quests and what else a story
needs.

Existing files are never overwritten.

Examples:
  $ trellis init
  $ trellis init /srv/trellis
  $ trellis init --schemas work
  $ trellis init --schemas rpg my-story/schemas
`;

export function define(command: Command): void {
  command
    .argument('[folder]', 'where to put the files (default: the working directory; schemas with --schemas)')
    .addOption(
      new Option('--schemas <set>', 'copy a set of sample schemas instead').choices([...sampleSets]),
    );
  jsonOption(command).addHelpText('after', help).action(run);
}

async function run(folder: string | undefined, { schemas, json = false }: InitOptions): Promise<void> {
  if (schemas === undefined) await writeConfig(resolvePath(folder ?? '.'), json);
  else await writeSamples(schemas, resolvePath(folder ?? 'schemas'), json);
}

async function writeConfig(folder: string, json: boolean): Promise<void> {
  const path = join(folder, configName);
  const text = await readFile(packageFile('assets/trellis.yaml'));
  try {
    await writeFile(path, text, { flag: 'wx' });
  } catch (error) {
    if (errnoOf(error) === 'EEXIST')
      throw new TrellisError('INVALID_ARGUMENT', `${path} already exists and was not changed.`, {
        hint: `Edit it, and check it with: trellis config check ${path}`,
        cause: error,
      });
    throw new TrellisError('INVALID_ARGUMENT', `Cannot write ${path}: ${reasonOf(error)}`, {
      hint: 'Name an existing, writable folder.',
      cause: error,
    });
  }
  if (json) print({ written: [path] });
  else print(`Wrote ${path}\nIt changes nothing yet: edit it, then run trellis config check`);
}

async function writeSamples(set: SampleSet, folder: string, json: boolean): Promise<void> {
  const files = await copySamples(set, folder);
  if (json) print({ set, folder, files });
  else {
    print(`Copied ${pluralize(files.length, 'schema file')} to ${folder}: ${files.join(', ')}`);
    print(`Change them as you like, and check them with: trellis lint ${relative('.', folder) || '.'}`);
  }
}
