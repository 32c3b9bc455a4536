import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageFile } from '../../src/file/package-files.js';
import { staticModel } from '../../src/search/embedders/static-model.js';

const file = readFileSync(packageFile('assets/static-model.bin'));
const [count, dimension] = [file.readUInt32LE(0), file.readUInt32LE(4)];
const pieces = file.toString('utf8', 8 + count * (4 + dimension)).split('\n');

/** As the package `tokenizers` 0.23.3 cuts them with the tokenizer.json of potion-base-8M; [] is its [UNK]. */
const cut: readonly (readonly [text: string, words: readonly (readonly string[])[]])[] = [
  ["Aren't cheap: $3.50", [['aren'], ["'"], ['t'], ['cheap'], [':'], ['$'], ['3'], ['.'], ['50']]],
  ['Naïve cafés', [['naive'], ['cafes']]],
  ['e\u0301t\u0301', [['et']]],
  ['électrométallurgie', [['electro', '##met', '##all', '##urg', '##ie']]],
  ['of xqzlorp', [['of'], ['x', '##q', '##z', '##lor', '##p']]],
  ['日本語 test', [['日'], ['本'], ['語'], ['test']]],
  ['ΟΔΟΣ', [['ο', '##δ', '##ο', '##σ']]],
  [
    'zero\u200bwidth\u00a0space\tand\u0000null',
    [['zero', '##wi', '##dt', '##h'], ['space'], ['and', '##nu', '##ll']],
  ],
  ['O\u2019Neil\u2014don\u2019t\u2026', [['o'], ['’'], ['neil'], ['—'], ['don'], ['’'], ['t'], ['…']]],
  ['a\ufffdb unassigned\u0378', [['ab'], []]],
  ['🎉 party', [[], ['party']]],
  [`${'x'.repeat(101)} ok`, [[], ['ok']]],
  [' \n ', []],
];

test.each(cut)('%j is cut as by the reference tokenizer', (text, words) => {
  const { tokenizer } = staticModel();
  expect(tokenizer.encode(text).map((word) => word.map((piece) => pieces[piece]))).toEqual(words);
});
