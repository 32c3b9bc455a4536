// @ts-check
import { entityName, rarePhrase } from './dataset.js';

/**
 * One measured kind of call.
 * @typedef {object} Operation
 * @property {string} name
 * @property {'write' | 'open' | 'search'} kind
 * @property {string} tool
 * @property {(turn: number, size: number) => object} args
 * @property {(structured: any) => boolean} answered Whether the answer did what was asked.
 */

// Far apart from one turn to the next, so that no cache is warm by neighbourhood.
const spread = (/** @type {number} */ turn, /** @type {number} */ size) => (turn * 7_919 + 13) % size;

/** @type {readonly Operation[]} */
export const operations = [
  {
    name: 'create one entity',
    kind: 'write',
    tool: 'create_entities',
    args: (turn) => ({
      entities: [
        {
          name: `newcomer ${turn}`,
          entityType: 'person',
          observations: [`arrived as number ${turn}`, 'likes quiet mornings and strong tea'],
        },
      ],
    }),
    answered: ({ entities }) => entities.length === 1,
  },
  {
    name: 'add one observation',
    kind: 'write',
    tool: 'add_observations',
    args: (turn, size) => ({
      observations: [{ entityName: entityName(spread(turn, size)), contents: [`was seen on turn ${turn}`] }],
    }),
    answered: ({ results }) => results[0].addedObservations.length === 1,
  },
  {
    name: 'open one node',
    kind: 'open',
    tool: 'open_nodes',
    args: (turn, size) => ({ names: [entityName(spread(turn, size))] }),
    answered: ({ entities, relations }) => entities.length === 1 && relations.length > 0,
  },
  {
    name: 'search a rare phrase',
    kind: 'search',
    tool: 'search_nodes',
    args: (turn) => ({ query: rarePhrase(turn) }),
    answered: ({ entities }) => entities.length === 1,
  },
];
