import { z } from 'zod';
import type { KeyPath } from '../../yaml/yaml-positions.js';
import { configShape } from './config-shape.js';

const level = z.object({
  get properties() {
    return z.record(z.string(), level).optional();
  },
  get items() {
    return level.optional();
  },
  get additionalProperties() {
    return z.union([z.boolean(), level]).optional();
  },
});
type Level = z.output<typeof level>;

/** In the order of the schema; none where names are free. */
export function keysAt(path: KeyPath): string[] {
  let at = root();
  for (const key of path) {
    const next = at.properties?.[String(key)] ?? at.items ?? at.additionalProperties;
    if (next === undefined || typeof next === 'boolean') return [];
    at = next;
  }
  return Object.keys(at.properties ?? {});
}

/** As `server.port`; a free name appears as `<name>`. */
export function allKeys(at: Level = root(), above = ''): string[] {
  const below = Object.entries(at.properties ?? {}).flatMap(([key, next]) => [
    `${above}${key}`,
    ...allKeys(next, `${above}${key}.`),
  ]);
  const named = at.additionalProperties;
  return typeof named === 'object' ? [...below, ...allKeys(named, `${above}<name>.`)] : below;
}

let known: Level | undefined;
function root(): Level {
  known ??= level.parse(z.toJSONSchema(configShape));
  return known;
}
