import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { modules, sourceOf } from '../source/modules.js';
import { root } from './pages.js';

const source = modules.map(sourceOf).join('\n');

const rows = readFileSync(join(root, 'docs/glossary.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| (?!term|---)/.test(line) && !line.startsWith('|---'))
  .map((line) => line.split('|').map((cell) => cell.trim()));

const quoted = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

describe('the glossary', () => {
  test('has each term once', () => {
    const terms = rows.map(([, term]) => term);
    expect(terms.length).toBeGreaterThan(60);
    expect(terms.filter((term, index) => terms.indexOf(term) !== index)).toEqual([]);
  });

  test('names code that exists', () => {
    const names = rows.flatMap(([, , , code]) => quoted(code));
    const declared = (name: string) =>
      new RegExp(`(function\\*?|class|interface|type|const) ${name}\\b`).test(source);
    expect(names.filter((name) => !declared(name))).toEqual([]);
  });

  test('names tables and columns that exist', () => {
    const names = rows.flatMap(([, , , , tables]) => quoted(tables));
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(source))).toEqual([]);
  });
});
