import type { FileOnlySetting } from '../../config/file-only-settings.js';
import type { GraphSettings } from '../../config/graph-settings.js';
import type { Setting } from '../../config/setting-layers.js';
import type { Settings } from '../../config/settings.js';
import { isReachable } from '../../file/path-exists.js';
import { formulaKeywords, registryKeywords } from '../../gate/gate-settings.js';
import { TrellisError } from '../../model/error.js';
import { shellQuote } from '../../model/quoting.js';

const keywords: readonly string[] = [...registryKeywords, ...formulaKeywords];

export async function missingPaths({ fileOnly, graphs, defaults, config }: Settings): Promise<string[]> {
  const named: readonly (Setting<string> & { readonly name?: string })[] = [
    ...fileOnly.filter(({ isPath }) => isPath),
    ...[defaults, ...graphs.values()].flatMap(pathsOf),
  ];
  const lines: string[] = [];
  for (const { name = '', value, source } of named) {
    const hint = requiredKeys.tokens.test(name) ? `. ${tokensHint(config.value ?? '')}` : '';
    if (!(await isReachable(value))) lines.push(`${value} does not exist (${source})${hint}`);
  }
  return [...new Set(lines)];
}

function pathsOf({ schemas, gate }: GraphSettings): Setting<string>[] {
  return [schemas, gate.registry, gate.formula, gate.schemaFile].flatMap(({ value, source }) =>
    value === undefined || keywords.includes(value) ? [] : [{ value, source }],
  );
}

/** Files that a command cannot start without; a missing one of another kind disables only the graph or surface that uses it. */
type RequiredFile = 'tokens' | 'policy' | 'schema';

const requiredKeys: Readonly<Record<RequiredFile, RegExp>> = {
  tokens: /^auth\.tokens\.file$/,
  policy: /(^|\.)policy\.file$/,
  schema: /\.schema$/,
};

export async function requireFiles(
  { fileOnly, config }: Settings,
  kinds: readonly RequiredFile[],
): Promise<void> {
  for (const kind of kinds) {
    for (const setting of fileOnly.filter(({ name }) => requiredKeys[kind].test(name)))
      if (!(await isReachable(setting.value))) throw missingFile(kind, setting, config.value ?? '');
  }
}

function missingFile(
  kind: RequiredFile,
  { name, value, source }: FileOnlySetting,
  config: string,
): TrellisError {
  const hints = {
    tokens: tokensHint(config),
    policy: `Create it (docs/access.md shows how), or change ${name} in the configuration.`,
    schema: `Create it (docs/schema-language.md shows how), or change ${name} in the configuration.`,
  };
  return new TrellisError('CONFIG_INVALID', `${source}: ${name} is ${value}, which does not exist.`, {
    hint: hints[kind],
    details: { file: value },
  });
}

function tokensHint(config: string): string {
  return `Create it with: trellis token create --actor NAME --config ${shellQuote(config)}`;
}
