import { readFileSync } from 'node:fs';
import { packageFile } from '../file/package-files.js';

let known: string | undefined;

/** Read once: every HTTP request needs it. */
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
