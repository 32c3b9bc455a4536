// @ts-check

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { randomFrom } from './random.js';

/**
 * @typedef {{ name: string, entityType: string, observations: string[] }} Entity
 * @typedef {{ from: string, to: string, relationType: string }} Relation
 * @typedef {import('./stdio-client.js').StdioClient} StdioClient
 */

const types = ['person', 'project', 'company', 'place', 'event', 'tool', 'paper', 'decision'];
const relationTypes = ['knows', 'works on', 'depends on', 'is part of', 'mentions'];
const vocabulary = makeVocabulary(1_500);
const rarePhrases = 50;

/** The name of the n-th entity of every generated graph. */
export const entityName = (/** @type {number} */ index) => `entity ${index}`;

/** A phrase that exactly one entity of every generated graph holds. */
export const rarePhrase = (/** @type {number} */ index) => `zyxwian quorble ${index % rarePhrases}th`;

/**
 * Entities with two observations each.
 * @param {number} size
 * @returns {Generator<Entity>}
 */
export function* entities(size) {
  const random = randomFrom(size);
  const spacing = Math.floor(size / rarePhrases);
  const sentence = () => Array.from({ length: 9 }, () => random.pick(vocabulary)).join(' ');
  for (let index = 0; index < size; index++) {
    const rare = index % spacing === 0 && index / spacing < rarePhrases;
    const last = rare ? `${sentence()}, ${rarePhrase(index / spacing)}, ${sentence()}` : sentence();
    yield { name: entityName(index), entityType: random.pick(types), observations: [sentence(), last] };
  }
}

/**
 * One relation out of each entity, spread so that one also comes into each.
 * @param {number} size
 * @returns {Generator<Relation>}
 */
export function* relations(size) {
  for (let index = 0; index < size; index++) {
    const to = (index * 7 + 1) % size;
    const relationType = /** @type {string} */ (relationTypes[index % relationTypes.length]);
    yield { from: entityName(index), to: entityName(to), relationType };
  }
}

/**
 * Writes a graph as the reference server's file.
 * @param {string} path
 * @param {number} size
 */
export async function writeJsonl(path, size) {
  const file = createWriteStream(path);
  const write = async (/** @type {object} */ line) => {
    if (!file.write(`${JSON.stringify(line)}\n`)) await once(file, 'drain');
  };
  for (const entity of entities(size)) await write({ type: 'entity', ...entity });
  for (const relation of relations(size)) await write({ type: 'relation', ...relation });
  file.end();
  await once(file, 'close');
}

/**
 * Fills a running server through its own tools.
 * @param {Pick<StdioClient, 'call'>} client
 * @param {number} size
 */
export async function fill(client, size) {
  for (const batch of batches(entities(size), 1_000))
    await client.call('create_entities', { entities: batch });
  for (const batch of batches(relations(size), 1_000))
    await client.call('create_relations', { relations: batch });
}

/**
 * @template T
 * @param {Iterable<T>} items
 * @param {number} size
 * @returns {Generator<T[]>}
 */
function* batches(items, size) {
  /** @type {T[]} */
  let batch = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length === size) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

/** @param {number} count */
function makeVocabulary(count) {
  const random = randomFrom(count);
  const syllables =
    'ba be bi do du fa fe go ka ke la le li ma mi mo na ne no pa po ra re ri sa se so ta te to'.split(' ');
  return Array.from({ length: count }, () =>
    Array.from({ length: 2 + random.below(3) }, () => random.pick(syllables)).join(''),
  );
}
