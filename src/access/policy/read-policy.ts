import { loadCedar } from './cedar.js';
import { type CedarFileOptions, cedarParts } from './cedar-policy.js';
import { parseDocument } from './parse-document.js';
import { Policy } from './policy.js';
import { yamlParts } from './yaml-policy.js';

/** Makes a policy of a text: Cedar if its path ends in `.cedar`, else the short form in YAML. */
export async function readPolicy(
  text: string,
  path: string,
  options: CedarFileOptions = {},
): Promise<Policy> {
  const cedar = await loadCedar();
  const parts = /\.cedar$/i.test(path)
    ? cedarParts(cedar, text, path, options)
    : yamlParts(parseDocument(text, path));
  return new Policy(cedar, parts);
}
