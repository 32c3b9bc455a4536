// @ts-check
import { milliseconds, table } from './table.js';

/**
 * @typedef {import('./race.js').Contestant['server']} Server
 * @typedef {import('./targets.js').Target} Target
 *
 * @typedef {object} Figure The median of one operation on one server.
 * @property {'close' | 'field' | 'stores'} heat `close`: SQLite and the no-op alone; `field`: the stores and the reference;
 * `stores`: SQLite and PostgreSQL.
 * @property {Server} server
 * @property {number} size
 * @property {string} operation
 * @property {'write' | 'open' | 'search'} kind
 * @property {number} calls
 * @property {number} median Milliseconds.
 * @property {number} p95 Milliseconds.
 */

/** @param {number} size */
const thousands = (size) => size.toLocaleString('en');

/**
 * @param {readonly Figure[]} figures
 * @param {Figure['heat']} heat
 */
export function medianTable(figures, heat) {
  const own = figures.filter((figure) => figure.heat === heat);
  const operations = [...new Set(own.map(({ operation }) => operation))];
  const lanes = [...new Set(own.map(lane))];
  return table(
    ['median', ...operations],
    lanes.map((name) => [
      name,
      ...operations.map((operation) => {
        const figure = own.find((one) => lane(one) === name && one.operation === operation);
        return figure === undefined ? '' : milliseconds(figure.median);
      }),
    ]),
  );
}

/** @param {Figure} figure */
const lane = ({ server, size }) => (server === 'no-op' ? server : `${server}, ${thousands(size)}`);

/**
 * The bounds that the measured sizes and servers allow to be judged.
 * @param {readonly Figure[]} figures
 * @returns {Target[]}
 */
export function judge(figures) {
  const close = figures.filter(({ heat, server }) => heat === 'close' && server === 'SQLite');
  return [
    ...close.flatMap((figure) => besideNothing(figures, figure)),
    ...close.filter(({ kind }) => kind !== 'search').flatMap((figure) => growth(figures, figure)),
    ...besideReference(figures, 'SQLite', { write: 50, open: 20, search: 10 }),
    ...besideReference(figures, 'JSONL', { write: 3, open: 10, search: 10 }),
  ];
}

/**
 * @param {readonly Figure[]} figures
 * @param {Figure} figure
 * @returns {Target[]}
 */
function besideNothing(figures, figure) {
  return figures
    .filter(({ server, operation }) => server === 'no-op' && operation === figure.operation)
    .map(({ median }) => ({
      what: `SQLite, ${thousands(figure.size)}, ${figure.operation}: time beside the no-op`,
      measured: figure.median / median,
      atMost: 3,
    }));
}

/**
 * @param {readonly Figure[]} figures
 * @param {Figure} large
 * @returns {Target[]}
 */
function growth(figures, large) {
  if (large.size !== 100_000) return [];
  return figures
    .filter(
      ({ heat, server, size, operation }) =>
        heat === 'close' && server === 'SQLite' && size === 1_000 && operation === large.operation,
    )
    .map(({ median }) => ({
      what: `SQLite, ${large.operation}: growth from 1,000 to 100,000`,
      measured: large.median / median,
      atMost: 1.5,
    }));
}

/**
 * @param {readonly Figure[]} figures
 * @param {Server} server
 * @param {Record<Figure['kind'], number>} wanted How many times faster each kind of call must be.
 * @returns {Target[]}
 */
function besideReference(figures, server, wanted) {
  const field = figures.filter(({ heat, size }) => heat === 'field' && size === 10_000);
  return field
    .filter((figure) => figure.server === server)
    .flatMap((own) =>
      field
        .filter((other) => other.server === 'reference' && other.operation === own.operation)
        .map((other) => ({
          what: `${server}, 10,000, ${own.operation}: faster than the reference`,
          measured: other.median / own.median,
          atLeast: wanted[own.kind],
        })),
    );
}
