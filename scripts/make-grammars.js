// @ts-check
// Makes the parsers of the languages from their grammars: `npm run grammars`.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import peggy from 'peggy';

const root = new URL('../', import.meta.url);
const lexical = 'src/language/lexical.peggy';

/**
 * Each grammar, and the parser that is made of it. Neither tries the same thing twice at one place, so both do without
 * peggy's cache, which costs more than it saves.
 */
export const grammars = [
  {
    grammar: 'src/schema/graph/pg.peggy',
    parser: 'src/schema/graph/pg-parser.generated.ts',
    tree: { name: 'GraphSchemaAst', from: './graph-schema-ast.js' },
    startRules: ['File'],
  },
  {
    grammar: 'src/query/gq.peggy',
    parser: 'src/query/gq-parser.generated.ts',
    tree: { name: 'QueryFile', from: './query-ast.js' },
    startRules: ['File'],
  },
].filter(({ grammar }) => existsSync(new URL(grammar, root)));

/**
 * The text of a parser. It is TypeScript so that the build takes it along, but nobody's to check.
 * @param {(typeof grammars)[number]} made
 */
export function parserText({ grammar, tree, startRules }) {
  const sources = [grammar, lexical].map((source) => ({
    source,
    text: readFileSync(new URL(source, root), 'utf8'),
  }));
  const text = peggy.generate(sources, {
    output: 'source',
    format: 'es',
    allowedStartRules: startRules,
  });
  const typed = text.replace(
    'function peg$parse(input, options) {',
    `function peg$parse(input: string, options?: { readonly startRule?: string }): ${tree.name} {`,
  );
  return [
    `// Made from ${grammar} by \`npm run grammars\`.`,
    '// @ts-nocheck',
    `import type { ${tree.name} } from '${tree.from}';`,
    typed,
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const made of grammars) {
    writeFileSync(new URL(made.parser, root), parserText(made));
    console.log(made.parser);
  }
}
