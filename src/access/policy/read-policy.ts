import { loadCedar } from './cedar.js';
import { compilePolicyDocument } from './compile-policy-document.js';
import { type CedarFileOptions, parseCedarPolicy } from './parse-cedar-policy.js';
import { parsePolicyDocument } from './parse-policy-document.js';
import { Policy } from './policy.js';

/** Cedar if the path ends in `.cedar`, else YAML. */
export async function readPolicy(
  text: string,
  path: string,
  options: CedarFileOptions = {},
): Promise<Policy> {
  const cedar = await loadCedar();
  const parts = /\.cedar$/i.test(path)
    ? parseCedarPolicy(cedar, text, path, options)
    : compilePolicyDocument(parsePolicyDocument(text, path));
  return new Policy(cedar, parts);
}
