import type { Command } from 'commander';
import { displayPath, settingLines, settingsAsJson } from '../config/describe-settings.js';
import { configName, loadSettings } from '../config/load-settings.js';
import { TrellisError } from '../model/error.js';
import {
  type CommonOptions,
  graphOption,
  jsonOption,
  locationOptions,
  surfaceOptions,
} from './command-options.js';
import { checkConfiguredFiles } from './configured-files/check-configured-files.js';
import { print } from './print.js';

export function define(command: Command): void {
  command.addHelpText(
    'after',
    `
Examples:
  $ trellis config check
  $ trellis config check /etc/trellis.yaml --json
`,
  );
  const check = command
    .command('check')
    .description('Check the configuration file, and print what is in force and where each value came from.')
    .argument('[config]', `the file to check (default: --config, TRELLIS_CONFIG, or ${configName} here)`);
  jsonOption(surfaceOptions(graphOption(locationOptions(check)))).action(run);
}

async function run(config: string | undefined, options: CommonOptions): Promise<void> {
  const settings = await loadSettings(config === undefined ? options : { ...options, config });
  const file = settings.config.value;
  if (file === undefined) {
    throw new TrellisError('CONFIG_INVALID', `There is no ${configName} here, and none was named.`, {
      hint: 'Name one, or write one to start from with: trellis init',
    });
  }
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

/** More would hide the first ones; whoever mends those sees the next. */
const maxProblems = 50;

function brokenFilesError(file: string, problems: readonly string[]): TrellisError {
  const lines = problems.slice(0, maxProblems);
  if (problems.length > lines.length) lines.push(`and ${problems.length - lines.length} more problems`);
  return new TrellisError(
    'CONFIG_INVALID',
    `${file} is right, but files that it names are not:\n${lines.map((line) => `  ${line}`).join('\n')}`,
    {
      hint: 'Mend them, and look again with trellis config check; docs/schema-language.md, docs/query-language.md and docs/schemas.md say what they may hold.',
      details: { file, problems },
    },
  );
}
