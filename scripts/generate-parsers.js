// @ts-check
// Generates the parsers from the grammars, before each build and when tests start.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import peggy from 'peggy';

const root = new URL('../', import.meta.url);
const lexical = 'src/language/lexical.peggy';

// Neither grammar tries the same rule twice at one position, so both do without peggy's cache, which costs more than it saves.
const grammars = [
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
];

export function generateParsers() {
  for (const each of grammars) {
    const file = new URL(each.parser, root);
    const text = parserText(each);
    // An unchanged file keeps its time, so that incremental builds and watchers leave it alone.
    if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
  }
}

/** @param {(typeof grammars)[number]} each */
function parserText({ grammar, tree, startRules }) {
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
    `// Generated from ${grammar}.`,
    '// @ts-nocheck',
    `import type { ${tree.name} } from '${tree.from}';`,
    typed,
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) generateParsers();
