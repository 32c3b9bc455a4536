import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { grammars, parserText } from '../../scripts/make-grammars.js';
import { root } from '../docs/pages.js';

test.each(grammars)('$parser is what `npm run grammars` makes of $grammar', (made) => {
  expect(readFileSync(join(root, made.parser), 'utf8') === parserText(made), 'run: npm run grammars').toBe(
    true,
  );
});
