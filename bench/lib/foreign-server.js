// @ts-check
import { z } from 'zod';
import { StdioClient, ToolFailed } from './stdio-client.js';

/**
 * A memory server that somebody has installed: how to start it over stdio, and which tools store and search. In every
 * text, `{folder}` is an empty folder; in the arguments, `{id}`, `{node}` and `{text}` are those of a document,
 * `{question}` is the query, and `{limit}`, alone in its text, the number of results.
 */
const step = z.object({ tool: z.string(), arguments: z.record(z.string(), z.json()) });
export const serverShape = z.object({
  name: z.string(),
  command: z.array(z.string()).min(1),
  env: z.record(z.string(), z.string()).default({}),
  store: step,
  /** One or more ways to search, by name. */
  searches: z.record(z.string(), step),
});

/**
 * @typedef {z.output<typeof serverShape>} ServerDescription
 * @typedef {import('./retrieval-set.js').Document} Document
 * @typedef {Readonly<Record<string, string | number>>} Values
 */

/** How much of a text must be in a response: some servers shorten them. */
const recognizedLength = 60;

/**
 * Starts the server, stores every document as an item of its own, and returns how to search.
 * @param {ServerDescription} server
 * @param {string} folder
 * @param {readonly Document[]} documents
 */
export async function openForeignServer(server, folder, documents) {
  const [command = '', ...args] = server.command.map((part) => part.replaceAll('{folder}', folder));
  const env = Object.fromEntries(
    Object.entries(server.env).map(([name, value]) => [name, value.replaceAll('{folder}', folder)]),
  );
  const client = await StdioClient.connect({ command, args, env });
  const items = documents.map((document, at) => ({
    document,
    id: `item${String(at).padStart(6, '0')}`,
    text: recognizable(document.text).slice(0, recognizedLength),
  }));
  let refused = 0;
  for (const { document, id } of items) {
    const { node, text } = document;
    try {
      await client.call(server.store.tool, filled(server.store.arguments, { folder, id, node, text }));
    } catch (error) {
      // Some servers refuse what they have already.
      if (!(error instanceof ToolFailed) || refused++ > items.length / 10) throw error;
    }
  }
  if (refused > 0) process.stderr.write(`${server.name} refused ${refused} of ${items.length} texts\n`);
  return {
    /**
     * @param {string} name Of the search.
     * @param {string} question
     */
    async search(name, question, limit = 10) {
      const search = server.searches[name];
      if (search === undefined) throw new Error(`${server.name} has no search ${name}.`);
      const values = { folder, question, limit };
      const { content } = await client.call(search.tool, filled(search.arguments, values));
      const response = content.map(({ text = '' }) => text).join('\n');
      const shown = recognizable(plainText(response));
      const found = items
        .map(({ document, id, text }) => ({ document, at: firstOf(shown.indexOf(id), shown.indexOf(text)) }))
        .filter(({ at }) => at >= 0)
        .sort((a, b) => a.at - b.at)
        .map(({ document }) => document);
      return { found, response };
    },
    close: () => client.kill(),
  };
}

/**
 * @param {Readonly<Record<string, unknown>>} template
 * @param {Values} values
 * @returns {object}
 */
function filled(template, values) {
  /** @type {(part: unknown) => unknown} */
  const fill = (part) => {
    if (typeof part === 'string') {
      const whole = /^\{(\w+)\}$/.exec(part)?.[1];
      if (whole !== undefined && whole in values) return values[whole];
      return part.replace(/\{(\w+)\}/g, (given, name) => String(values[name] ?? given));
    }
    if (Array.isArray(part)) return part.map(fill);
    if (typeof part !== 'object' || part === null) return part;
    return filled(/** @type {Record<string, unknown>} */ (part), values);
  };
  return Object.fromEntries(Object.entries(template).map(([name, part]) => [name, fill(part)]));
}

/**
 * The strings of a response that is JSON, so that quotes and line breaks look as they were stored.
 * @param {string} response
 */
function plainText(response) {
  try {
    /** @type {string[]} */
    const strings = [];
    JSON.parse(response, (_, value) => {
      if (typeof value === 'string') strings.push(value);
      return value;
    });
    return strings.join('\n');
  } catch {
    return response;
  }
}

/** @param {string} text */
function recognizable(text) {
  return text.replace(/\s+/g, ' ').trim();
}

/**
 * @param {number} a
 * @param {number} b
 */
function firstOf(a, b) {
  if (a < 0 || b < 0) return Math.max(a, b);
  return Math.min(a, b);
}
