// @ts-check
// How many transactions with commits of ours this process has made: each is confirmed by the disk once.
import pg from 'pg';
import { SqliteConnection } from '../../dist/store/sqlite/sqlite-connection.js';

let made = 0;
/** @type {WeakSet<object>} */
const writing = new WeakSet();

export const writeTransactions = () => made;

const { run, insert } = SqliteConnection.prototype;
const { query } = pg.Client.prototype;

/** @type {typeof insert} */
SqliteConnection.prototype.insert = function (table, ...rest) {
  if (table === 'commit_log') writing.add(this);
  return insert.call(this, table, ...rest);
};

/** @type {typeof run} */
SqliteConnection.prototype.run = function (statement) {
  if (statement.sql === 'commit') ended(this);
  return run.call(this, statement);
};

Object.assign(pg.Client.prototype, {
  query: new Proxy(query, {
    apply(target, client, args) {
      const text = args[0]?.text ?? '';
      if (text.startsWith('insert into commit_log')) writing.add(client);
      if (text === 'commit') ended(client);
      return Reflect.apply(target, client, args);
    },
  }),
});

/** @param {object} connection */
function ended(connection) {
  if (writing.delete(connection)) made += 1;
}
