// @ts-check
// Somebody else who uses the server while it is asked too much: small calls one after the other, each timed.
// It runs in a process of its own, so that reading large answers does not get into its figures.
import { Agent, get } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { callOverHttp } from './http-rpc.js';
import { runDelayMs } from './stalls.js';

/**
 * @typedef {{ name: string, path: string, tool?: string, args?: object, writes?: true }} Probe
 * @typedef {{ name: string, times: number[], failed: number, writes?: true, error?: string }} Probed
 */

/** Few enough that the small calls are no load themselves. */
const pauseMs = { health: 20, call: 40 };
/** @type {Map<string, { times: number[], failed: number, error?: string, writes?: true }>} */
let taken = new Map();
const agent = new Agent({ keepAlive: true });

process.on('message', (/** @type {any} */ message) => {
  if (message === 'end') process.exit();
  if (message === 'report') process.send?.(report());
  else {
    taken = new Map();
    process.send?.({});
  }
});

const [base = '', token = '', server = '', probes = '[]'] = process.argv.slice(2);
for (const probe of JSON.parse(probes)) void keepCalling(probe);

/** @param {Probe} probe */
async function keepCalling(probe) {
  for (let turn = 0; ; turn++) {
    const [start, delayed] = [performance.now(), delayedMs()];
    /** @type {string | undefined} */
    let error;
    try {
      await call(probe, turn);
    } catch (thrown) {
      error = String(thrown);
    }
    const entry = taken.get(probe.name) ?? {
      times: [],
      failed: 0,
      ...(probe.writes ? { writes: true } : {}),
    };
    taken.set(probe.name, entry);
    entry.times.push(Math.max(0, performance.now() - start - (delayedMs() - delayed)));
    if (error !== undefined) {
      entry.failed += 1;
      entry.error = error;
    }
    await wait(probe.tool === undefined ? pauseMs.health : pauseMs.call);
  }
}

/** How long server and client waited for a processor: other programs are not what is measured. */
function delayedMs() {
  return runDelayMs() + runDelayMs(Number(server));
}

/**
 * @param {Probe} probe
 * @param {number} turn
 */
function call({ path, tool, args = {} }, turn) {
  const url = new URL(path, base);
  if (tool === undefined) return fetched(url);
  const given = JSON.parse(JSON.stringify(args).replaceAll('$turn', `${turn} of ${process.pid}`));
  return callOverHttp({ url, agent, token }, tool, given);
}

/**
 * @param {URL} url
 * @returns {Promise<void>}
 */
function fetched(url) {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      response.resume();
      response.on('end', () => (response.statusCode === 200 ? resolve() : reject(response.statusCode)));
    }).on('error', reject);
  });
}

/** @returns {Probed[]} */
function report() {
  return [...taken].map(([name, { times, failed, error, writes }]) => ({
    ...{ name, times, failed },
    ...(error === undefined ? {} : { error }),
    ...(writes ? { writes } : {}),
  }));
}

process.send?.({});
