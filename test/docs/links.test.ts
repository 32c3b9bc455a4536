import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { docs, headings, type Page, page, pages, root, withoutCode } from './pages.js';

interface Link {
  /** From the root of the repository. */
  readonly path: string;
  readonly anchor: string | undefined;
}

describe('links', () => {
  test.each(pages.map(({ path }) => path))('every relative link of %s leads somewhere', (path) => {
    const broken = linksOf(page(path)).filter((link) => !resolves(link));
    expect(broken).toEqual([]);
  });

  test('the README leads to the index, and that to every page of docs/', () => {
    const index = 'docs/index.md';
    expect(linksOf(page('README.md'))).toContainEqual({ path: index, anchor: undefined });
    const linked = [index, ...linksOf(page(index)).map(({ path }) => path)];
    expect(docs.map(({ path }) => path).filter((path) => !linked.includes(path))).toEqual([]);
  });
});

function linksOf({ path, text }: Page): Link[] {
  const targets = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [file = '', anchor] = target.split('#');
      return { path: file === '' ? path : normalize(join(dirname(path), file)), anchor };
    });
}

function resolves({ path, anchor }: Link): boolean {
  if (!existsSync(join(root, path))) return false;
  return anchor === undefined || headings(page(path)).map(slug).includes(anchor);
}

/** The anchor that a heading gets where the pages are shown. */
function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}
