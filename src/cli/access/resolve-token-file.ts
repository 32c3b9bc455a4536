import { loadSettings } from '../../config/load-settings.js';
import { resolvePath } from '../../config/paths.js';
import { TrellisError } from '../../model/error.js';

/** The named one, the one the server reads, or `tokens.json` here. */
export async function resolveTokenFile({
  file,
  config,
}: {
  readonly file?: string;
  readonly config?: string;
}): Promise<string> {
  if (file !== undefined) return resolvePath(file);
  const tokens = (await loadSettings({ config })).server.access?.tokens;
  if (tokens === undefined) return resolvePath('tokens.json');
  if ('file' in tokens) return tokens.file;
  throw new TrellisError(
    'USAGE',
    `The configuration takes tokens from the variable ${tokens.env}, which cannot be written from here.`,
    { hint: 'Name a file with --file, and put its text into the variable.' },
  );
}
