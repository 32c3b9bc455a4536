// @ts-check
import { request } from 'node:http';
import { ServerGone, ToolFailed } from './stdio-client.js';

/** @typedef {import('./stdio-client.js').ToolResult} ToolResult */

let nextId = 1;

/**
 * Calls a tool over HTTP and throws when it answers with an error.
 * @param {{ url: URL, agent: import('node:http').Agent, token?: string }} place
 * @param {string} name
 * @param {object} args
 * @returns {Promise<ToolResult>}
 */
export async function callOverHttp(place, name, args) {
  const params = { name, arguments: args };
  const answer = await post(place, { jsonrpc: '2.0', id: nextId++, method: 'tools/call', params });
  if (answer.error) throw new Error(`${answer.error.message} (${answer.error.code})`);
  if (answer.result.isError) throw new ToolFailed(`${name}: ${answer.result.content?.[0]?.text}`);
  return answer.result;
}

/**
 * @param {{ url: URL, agent: import('node:http').Agent, token?: string }} place
 * @param {object} message
 * @returns {Promise<any>}
 */
function post({ url, agent, token }, message) {
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
  };
  return new Promise((resolve, reject) => {
    const gone = (/** @type {Error} */ error) => reject(new ServerGone(error.message, { cause: error }));
    const outgoing = request(url, { method: 'POST', agent, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (text) => {
        body += text;
      });
      response.on('error', gone);
      response.on('end', () => {
        try {
          resolve(readAnswer(body, response.headers['content-type'] ?? ''));
        } catch (error) {
          reject(error);
        }
      });
    });
    outgoing.on('error', gone);
    outgoing.end(JSON.stringify(message));
  });
}

/**
 * An answer comes as JSON or as the last event of a stream.
 * @param {string} body
 * @param {string} type
 */
function readAnswer(body, type) {
  if (!type.startsWith('text/event-stream')) return JSON.parse(body);
  const data = body.split('\n').filter((line) => line.startsWith('data:'));
  return JSON.parse((data.at(-1) ?? '').slice('data:'.length));
}
