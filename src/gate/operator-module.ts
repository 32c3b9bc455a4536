import { isAbsolute, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TrellisError } from '../model/error.js';

export function isModulePath(setting: string): boolean {
  return /\.[cm]?js$/i.test(setting);
}

/** The module's export of this name, or its default export. */
export async function importNamedExport(path: string, name: string): Promise<unknown> {
  const file = isAbsolute(path) ? path : resolve(path);
  const loaded: unknown = await import(pathToFileURL(file).href);
  const found = memberOf(loaded, name) ?? memberOf(loaded, 'default');
  if (found !== undefined) return found;
  throw new TrellisError('USAGE', `${path} does not export ${name}.`, {
    hint: `Write: export const ${name} = …`,
  });
}

export function memberOf(value: unknown, name: string): unknown {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined;
  return Reflect.get(value, name);
}
