import type { Command } from 'commander';
import { settingLines, settingsForPrograms } from '../config/describe-settings.js';
import { configName, loadSettings } from '../config/load-settings.js';
import { missingPaths } from '../config/missing-paths.js';
import { TrellisError } from '../model/error.js';
import { type CommonOptions, graphOption, jsonOption, locationOptions, surfaceOptions } from './options.js';
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
  const missing = await missingPaths(settings);
  if (options.json) print({ ok: true, file, settings: settingsForPrograms(settings), warnings: missing });
  else
    print(
      [
        `${file} is valid. In force are:`,
        '',
        ...settingLines(settings),
        ...missing.map((line) => `warning: ${line}`),
      ].join('\n'),
    );
}
