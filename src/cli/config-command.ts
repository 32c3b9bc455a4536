import type { Command } from 'commander';
import { displayPath, settingLines, settingsAsJson } from '../config/describe-settings.js';
import { configName, loadSettings } from '../config/settings.js';
import { TrellisError } from '../model/error.js';
import {
  type CommonOptions,
  graphOption,
  jsonOption,
  locationOptions,
  surfaceOptions,
} from './command-options.js';
import { checkConfiguredFiles } from './configured-files/check-configured-files.js';
import { pluralize, print } from './print.js';

const help = `
Examples:
  $ trellis config check
  $ trellis config check /etc/trellis.yaml --json
`;

export function define(command: Command): void {
  command.addHelpText('after', help);
  const check = command
    .command('check')
    .description('Check the configuration file, and print the settings in force and where each came from.')
    .argument('[config]', `the file to check (default: --config, TRELLIS_CONFIG, or ${configName} here)`);
  jsonOption(surfaceOptions(graphOption(locationOptions(check)))).action(run);
}

async function run(config: string | undefined, options: CommonOptions): Promise<void> {
  const settings = await loadSettings(config === undefined ? options : { ...options, config });
  const file = settings.config.value;
  if (file === undefined)
    throw new TrellisError('CONFIG_INVALID', `There is no ${configName} in the working directory.`, {
      hint: 'Name a file, or create one with: trellis init',
    });
  const { problems, warnings } = await checkConfiguredFiles(settings);
  if (problems.length > 0) throw brokenFilesError(displayPath(file), problems);
  if (options.json) print({ ok: true, file, settings: settingsAsJson(settings), warnings });
  else
    print(
      [
        `${file} is valid. In force are:`,
        '',
        ...settingLines(settings),
        ...warnings.map((line) => `warning: ${line}`),
      ].join('\n'),
    );
}

const maxProblems = 50;

function brokenFilesError(file: string, problems: readonly string[]): TrellisError {
  const lines = problems.slice(0, maxProblems);
  if (problems.length > lines.length)
    lines.push(`and ${pluralize(problems.length - lines.length, 'more problem')}`);
  return new TrellisError(
    'CONFIG_INVALID',
    `${file} is valid, but files it names are not:\n${lines.map((line) => `  ${line}`).join('\n')}`,
    {
      hint: 'Fix them, then run trellis config check again; see docs/schema-language.md, docs/query-language.md and docs/schemas.md.',
      details: { file, problems },
    },
  );
}
