// @ts-check
// Recall of other memory servers beside plain FTS5, each through its own MCP tools: every text of a set is stored as an
// item of its own, and every question is passed on as it is.
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { estimateTokens } from '../dist/brief/estimate-tokens.js';
import { openForeignServer, serverShape } from './lib/foreign-server.js';
import { figureOf } from './lib/measure-retrieval.js';
import { plainIndex } from './lib/plain-index.js';
import { judge } from './lib/recall.js';
import { setTables, summaryTable } from './lib/retrieval-report.js';
import { groupsOf, readRetrievalSet, sampleQuestions } from './lib/retrieval-set.js';
import { withScratch } from './lib/scratch.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** A JSON file that describes the server; see docs/search.md. */
    server: { type: 'string', multiple: true, default: [] },
    /** At most this many questions of a set, evenly spread. */
    questions: { type: 'string', default: '100' },
  },
});
if (positionals.length === 0) {
  console.error('Usage: node bench/memory-servers.js FILE... --server SERVER.json [--questions N]');
  process.exit(2);
}
const servers = await Promise.all(
  values.server.map(async (path) => serverShape.parse(JSON.parse(await readFile(path, 'utf8')))),
);

const reports = [];
for (const file of positionals) {
  const set = await readRetrievalSet(file);
  const sample = sampleQuestions(set, Number(values.questions));
  const figures = await measure(sample, ['plain FTS5'], plainSearch);
  for (const server of servers) {
    process.stderr.write(`${set.name}: ${server.name}\n`);
    const names = Object.keys(server.searches);
    figures.push(
      ...(await measure(sample, names, (documents, folder) => openForeignServer(server, folder, documents))),
    );
  }
  const report = {
    set: set.name,
    documents: set.documents.length,
    questions: sample.questions.length,
    figures,
  };
  reports.push(report);
  console.log(`${setTables(report)}\n`);
}
console.log(summaryTable(reports));

/**
 * @typedef {import('./lib/retrieval-set.js').Document} Document
 * @typedef {object} OpenServer
 * @property {(name: string, question: string) => Promise<{ found: Document[], response: string }>} search
 * @property {() => unknown} close
 */

/**
 * @param {readonly Document[]} documents
 * @returns {Promise<OpenServer>}
 */
async function plainSearch(documents) {
  const search = plainIndex(':memory:', documents);
  return {
    async search(_, question) {
      const found = search(question, 10).flatMap((place) => documents[place] ?? []);
      return { found, response: JSON.stringify(found.map(({ node, text }) => ({ node, text }))) };
    },
    close() {},
  };
}

/**
 * @param {import('./lib/retrieval-set.js').RetrievalSet} set
 * @param {readonly string[]} names Of the searches.
 * @param {(documents: readonly Document[], folder: string) => Promise<OpenServer>} open
 */
function measure(set, names, open) {
  return withScratch(async (scratch) => {
    /** @type {Map<string, import('./lib/measure-retrieval.js').Sample[]>} */
    const samples = new Map(names.map((name) => [name, []]));
    for (const [at, group] of groupsOf(set).entries()) {
      const folder = join(scratch, String(at));
      await mkdir(folder);
      const server = await open(group.documents, folder);
      for (const { text, gold, category = '' } of group.questions) {
        for (const [name, own] of samples) {
          const start = performance.now();
          const { found, response } = await server.search(name, text);
          const ms = performance.now() - start;
          const ids = found.map(({ id }) => id);
          const measured = { ms, tokens: estimateTokens(response), judgement: judge(ids, gold) };
          own.push({ category: String(category), ...measured });
        }
      }
      await server.close();
    }
    return [...samples].map(([name, own]) => figureOf(name, own));
  });
}
