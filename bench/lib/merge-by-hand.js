// @ts-check
import { DatabaseSync } from '@photostructure/sqlite';

const sides = `
  select t.ref as node, theirs.props as theirs, ours.props as ours, base.props as base, ours.row,
    ours.type, ours.name, ours.order_seq, ours.order_position
  from (select distinct ref from touched where graph = :graph and branch = :source and kind = 'node') t
  join node_row theirs on theirs.graph = :graph and theirs.branch = :source and theirs.node = t.ref and theirs.died is null
  join node_row ours on ours.graph = :graph and ours.branch = :target and ours.node = t.ref and ours.died is null
  join node_row base on base.graph = :graph and base.branch = :target and base.node = t.ref
    and base.born <= :fork and (base.died is null or base.died > :fork)
  order by t.ref`;

/**
 * A merge into `main` as somebody would write it who knows that only properties of nodes differ: one query that reads the three
 * states, and a loop of prepared statements for each table, in the order of its key. It writes the rows that a merge writes.
 * @param {string} location
 * @param {string} source
 */
export function mergeByHand(location, source) {
  const db = new DatabaseSync(location);
  // As the store opens it.
  db.exec('pragma journal_mode = wal; pragma synchronous = full');
  db.exec('begin immediate');
  const branch = (/** @type {string} */ name) =>
    /** @type {any} */ (db.prepare('select * from branch where graph = 1 and name = ?').get(name));
  const [from, into] = [branch(source), branch('main')];
  const graph = 1;
  const seq = Number(/** @type {any} */ (db.prepare('select max(seq) as n from commit_log').get()).n) + 1;
  const rows = /** @type {any[]} */ (
    db.prepare(sides).all({ graph, source: from.id, target: into.id, fork: from.fork_seq })
  );
  const indexed = /** @type {any[]} */ (
    db.prepare('select id, property from property_index order by id').all()
  );
  const retire = db.prepare('update node_row set died = ? where row = ?');
  const put = db.prepare(`insert into node_row
    (graph, node, branch, born, type, name, stub, props, created_at, order_seq, order_position)
    values (?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?)`);
  /** @type {[property: number, value: string, row: number][]} */
  const values = [];
  const now = Date.now();
  for (const { node, row, type, name, order_seq, order_position, ...states } of rows) {
    const props = JSON.stringify(
      merged(JSON.parse(states.base), JSON.parse(states.ours), JSON.parse(states.theirs)),
    );
    retire.run(seq, row);
    const { lastInsertRowid } = put.run(
      ...[graph, node, into.id, seq, type, name, props, now, order_seq, order_position],
    );
    const made = JSON.parse(props);
    for (const { id, property } of indexed) values.push([id, made[property], Number(lastInsertRowid)]);
  }
  values.sort(([a, x, p], [b, y, q]) => a - b || (x < y ? -1 : x > y ? 1 : p - q));
  const index = db.prepare('insert into property_value (graph, property, value, row) values (?, ?, ?, ?)');
  for (const [property, value, row] of values) index.run(graph, property, value, row);
  const touch = db.prepare("insert into touched (graph, branch, seq, kind, ref) values (?, ?, ?, 'node', ?)");
  for (const { node } of rows) touch.run(graph, into.id, seq, node);
  db.prepare(`insert into commit_log (graph, seq, id, branch, parent, merged_parent, actor, tool, time, counts)
    values (?, ?, ?, ?, ?, ?, 'bench', 'bench', ?, '{}')`).run(
    ...[graph, seq, `by hand ${seq}`, into.id, into.head_commit, from.head_commit, now],
  );
  db.prepare('update branch set head_seq = ?, head_commit = ? where graph = ? and id = ?').run(
    ...[seq, `by hand ${seq}`, graph, into.id],
  );
  db.exec('commit');
  db.close();
}

/**
 * @param {Record<string, unknown>} base
 * @param {Record<string, unknown>} ours
 * @param {Record<string, unknown>} theirs
 */
function merged(base, ours, theirs) {
  const result = { ...ours };
  for (const [key, value] of Object.entries(theirs)) {
    if (value === base[key]) continue;
    if (ours[key] !== base[key] && ours[key] !== value) throw new Error(`A conflict: ${key}`);
    result[key] = value;
  }
  return result;
}
