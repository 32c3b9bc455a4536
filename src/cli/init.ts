import { relative } from 'node:path';
import { type Command, Option } from 'commander';
import { resolvePath } from '../config/paths.js';
import { TrellisError } from '../model/error.js';
import { type SampleSet, sampleSets } from '../schema/samples.js';
import { counted } from './counted.js';
import { copySamples } from './init/copy-samples.js';
import { jsonOption } from './options.js';
import { print } from './print.js';

interface InitOptions {
  readonly schemas?: SampleSet;
  readonly json?: boolean;
}

export function define(command: Command): void {
  command
    .argument('[folder]', 'where to put the files (default: schemas)')
    .addOption(new Option('--schemas <set>', 'copy a set of sample schemas').choices([...sampleSets]));
  jsonOption(command)
    .addHelpText(
      'after',
      `
The sets are work (people, projects, tasks, decisions, documents, organisations, events) and rpg (characters, places,
quests and what else a story needs). They are yours to change; files that are there already are not touched.

Examples:
  $ trellis init --schemas work
  $ trellis init --schemas rpg my-story/schemas
  $ trellis schema check schemas
`,
    )
    .action(run);
}

async function run(given: string | undefined, { schemas: set, json }: InitOptions): Promise<void> {
  if (set === undefined) {
    throw new TrellisError('USAGE', 'Say what to set up.', {
      hint: `Pass --schemas with one of: ${sampleSets.join(', ')}.`,
    });
  }
  const folder = resolvePath(given ?? 'schemas');
  const files = await copySamples(set, folder);
  if (json) print({ set, folder, files });
  else {
    print(`Copied ${counted(files.length, 'schema file')} to ${folder}: ${files.join(', ')}`);
    print(
      `Change them as you like, and check them with: trellis schema check ${relative('.', folder) || '.'}`,
    );
  }
}
