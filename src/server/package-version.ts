import { readFileSync } from 'node:fs';
import { packageFile } from '../file/package-files.js';

let known: string | undefined;

/** The package's version, told to clients; read once, since every request over HTTP tells it. */
export function packageVersion(): string {
  known ??= readVersion();
  return known;
}

function readVersion(): string {
  const parsed: unknown = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
  const version =
    typeof parsed === 'object' && parsed !== null && 'version' in parsed ? parsed.version : undefined;
  return typeof version === 'string' ? version : 'unknown';
}
