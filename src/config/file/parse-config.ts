import { type CST, type Document, isNode, isScalar, LineCounter, Parser, parseDocument, visit } from 'yaml';
import type { z } from 'zod';
import { reasonOf } from '../../model/error.js';
import { configLimits } from '../../model/limits.js';
import { type KeyPath, YamlPositions } from '../../yaml/yaml-positions.js';
import { keysAt } from './config-keys.js';
import { type ConfigProblem, configInvalid } from './config-problem.js';
import { type ConfigContent, configShape } from './config-shape.js';
import { configIssueText, unknownKeyText } from './issue-text.js';

export interface ParsedConfig {
  readonly content: ConfigContent;
  /** The key must exist. */
  lineOf(path: KeyPath): number;
}

/** Throws one error that names every problem. */
export function parseConfig(text: string, file: string): ParsedConfig {
  // First, because the library composes documents recursively, and a deep one ends the process.
  if (depthOf(text) > configLimits.depth)
    throw configInvalid(file, [
      { message: `is nested too deeply: at most ${configLimits.depth} levels are allowed` },
    ]);
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    logLevel: 'error',
    // The library compares every key with every other.
    uniqueKeys: false,
  });
  const positions = new YamlPositions(document, lines);
  const problems = [...syntaxProblems(document, positions), ...keyProblems(document, positions)];
  // After syntax errors, the content is unreliable.
  if (document.errors.length > 0) throw configInvalid(file, problems);
  const value = plainValue(document, file);
  const checked = configShape.safeParse(value);
  if (!checked.success)
    problems.push(...checked.error.issues.flatMap((issue) => schemaProblems(issue, value, positions)));
  if (!checked.success || problems.length > 0) throw configInvalid(file, problems);
  return { content: checked.data, lineOf: (path) => positions.ofKey(path).line };
}

function depthOf(text: string): number {
  let deepest = 0;
  const waiting: { token: CST.Token; depth: number }[] = [];
  for (const token of new Parser().parse(text)) waiting.push({ token, depth: 0 });
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { token, depth } = next;
    deepest = Math.max(deepest, depth);
    for (const child of childrenOf(token))
      waiting.push({ token: child, depth: child.type === 'document' ? depth : depth + 1 });
  }
  return deepest;
}

function childrenOf(token: CST.Token): CST.Token[] {
  if (token.type === 'document') return token.value === undefined ? [] : [token.value];
  if (!('items' in token)) return [];
  return token.items.flatMap((item) => [item.key, item.value]).filter((child) => child != null);
}

function syntaxProblems(document: Document.Parsed, positions: YamlPositions): ConfigProblem[] {
  return [...document.errors, ...document.warnings].map(({ code, message, pos }) => ({
    ...positions.atOffset(pos[0]),
    message: code === 'MULTIPLE_DOCS' ? 'holds several documents, and only one is read' : message,
  }));
}

const forbiddenKey = '__proto__';

function keyProblems(document: Document.Parsed, positions: YamlPositions): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<string>();
      for (const { key } of items) {
        const words = keyProblem(key, seen);
        const start = isNode(key) ? key.range?.[0] : undefined;
        if (words !== undefined) problems.push({ ...positions.atOffset(start ?? 0), message: words });
      }
    },
  });
  return problems;
}

function keyProblem(key: unknown, seen: Set<string>): string | undefined {
  const name = isScalar(key) ? key.value : undefined;
  if (typeof name !== 'string') return 'a key must be text; put it into quotes if it is a number or the like';
  if (name === forbiddenKey) return `the key ${forbiddenKey} cannot be used`;
  if (seen.has(name)) return `${shortName(name)} is given twice`;
  seen.add(name);
  return undefined;
}

function plainValue(document: Document.Parsed, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: configLimits.aliases });
  } catch (error) {
    const message = reasonOf(error);
    throw configInvalid(file, [{ message: `cannot be read: ${message}` }]);
  }
}

function schemaProblems(issue: z.core.$ZodIssue, whole: unknown, positions: YamlPositions): ConfigProblem[] {
  const { path } = issue;
  if (issue.code === 'unrecognized_keys')
    return issue.keys
      .filter((key) => key !== forbiddenKey)
      .map((key) => ({
        ...positions.ofKey([...path, key]),
        message: `${keyPathText([...path, key])} ${unknownKeyText(key, keysAt(path))}`,
      }));
  if (issue.code === 'invalid_key') {
    const [inner] = issue.issues;
    const words = inner === undefined ? issue.message : configIssueText(inner, path.at(-1));
    return [{ ...positions.ofKey(path), message: `the name ${keyPathText(path)} ${words}` }];
  }
  const words = configIssueText(issue, path.reduce(valueIn, whole));
  return [{ ...positions.ofValue(path), message: `${keyPathText(path)} ${words}` }];
}

function valueIn(value: unknown, key: PropertyKey): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return Object.getOwnPropertyDescriptor(value, key)?.value;
}

function keyPathText(path: KeyPath): string {
  return path.length === 0 ? 'the file' : path.map((key) => shortName(String(key))).join('.');
}

function shortName(key: string): string {
  if (/^[\w-]{1,60}$/.test(key)) return key;
  const quoted = JSON.stringify(key);
  return quoted.length <= 60 ? quoted : `${quoted.slice(0, 60)}…"`;
}
