import { join } from 'node:path';
import type { Command } from 'commander';
import { configName } from '../config/load-settings.js';
import { resolvePath } from '../config/paths.js';
import { writeStarterConfig } from './init/starter-config.js';
import { jsonOption } from './options.js';
import { print } from './print.js';

interface InitOptions {
  readonly json?: boolean;
}

export function define(command: Command): void {
  command.argument('[folder]', 'where to put it', '.');
  jsonOption(command)
    .addHelpText(
      'after',
      `
Writes ${configName} with every setting in it, explained and commented out, so that it changes nothing until you
edit it. A file that is there is never replaced. Trellis reads the one in the working directory.

Examples:
  $ trellis init
  $ trellis init /srv/trellis
`,
    )
    .action(run);
}

async function run(folder: string, options: InitOptions): Promise<void> {
  const path = join(resolvePath(folder), configName);
  await writeStarterConfig(path);
  if (options.json) print({ written: [path] });
  else print(`Wrote ${path}\nIt changes nothing yet: edit it, then run trellis config check`);
}
