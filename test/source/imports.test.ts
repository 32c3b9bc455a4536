import { expect, test } from 'vitest';
import { importsOf, modules } from './modules.js';

test('no module imports itself in a circle', () => {
  expect(modules.length).toBeGreaterThan(100);
  expect(circles()).toEqual([]);
});

test('model/ imports nothing else', () => {
  const imports = modules.filter((path) => path.startsWith('model/')).flatMap(importsOf);
  expect(imports.filter((path) => !path.startsWith('model/'))).toEqual([]);
});

/** Chains of imports that end where they begin, found by depth-first search. */
function circles(): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (module: string): void => {
    if (path.includes(module)) found.push([...path.slice(path.indexOf(module)), module].join(' -> '));
    if (done.has(module) || path.includes(module)) return;
    path.push(module);
    importsOf(module).forEach(visit);
    path.pop();
    done.add(module);
  };
  modules.forEach(visit);
  return found;
}
