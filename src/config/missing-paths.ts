import { stat } from 'node:fs/promises';
import { formulaKeywords, registryKeywords } from './gate-keywords.js';
import type { GraphSettings } from './graph-settings.js';
import type { Setting } from './setting-layers.js';
import type { Settings } from './settings.js';

const words: readonly string[] = [...registryKeywords, ...formulaKeywords];

/** Says which files and folders the settings name that are not there. */
export async function missingPaths({ inFile, graphs, otherGraphs }: Settings): Promise<string[]> {
  const named: readonly Setting<string>[] = [
    ...inFile.filter(({ isPath }) => isPath),
    ...[otherGraphs, ...graphs.values()].flatMap(pathsOf),
  ];
  const findings: string[] = [];
  for (const { value, source } of named) {
    const there = await stat(value).then(
      () => true,
      () => false,
    );
    if (!there) findings.push(`${value} is not there (${source})`);
  }
  return [...new Set(findings)];
}

function pathsOf({ schemas, gate }: GraphSettings): Setting<string>[] {
  return [schemas, gate.registry, gate.formula, gate.schemaFile].flatMap(({ value, source }) =>
    value === undefined || words.includes(value) ? [] : [{ value, source }],
  );
}
