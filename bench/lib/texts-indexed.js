// @ts-check
import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';

/** How long the text index merges at most what it has indexed. */
const restMs = 3_000;

/**
 * Waits until an open store has indexed the texts of its nodes in the background.
 * @param {string} location
 */
export async function textsIndexed(location) {
  const db = new DatabaseSync(location);
  const number = (/** @type {string} */ sql) => Number(Object.values(db.prepare(sql).get() ?? {})[0] ?? 0);
  while (
    number("select upto from text_progress where source = 'node_row'") <
    number('select max(row) from node_row')
  )
    await delay(200);
  await delay(restMs);
  db.close();
}
