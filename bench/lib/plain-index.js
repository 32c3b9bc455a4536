// @ts-check
import { sqliteBinding } from '../../dist/store/sqlite/sqlite-binding.js';

/**
 * A plain FTS5 table of the texts, each on its own: the measure for search by words.
 * @param {string} path Of the database, which is filled unless it was before, or `:memory:`.
 * @param {readonly { text: string }[]} documents
 * @returns {(question: string, limit: number) => number[]} The places of texts with any of the words, best first.
 */
export function plainIndex(path, documents) {
  const database = new sqliteBinding.Database(path);
  const isFilled = database.prepare("select 1 from sqlite_schema where name = 'plain'").all().length > 0;
  if (!isFilled) {
    database.exec("begin; create virtual table plain using fts5 (text, tokenize = 'porter')");
    const insert = database.prepare('insert into plain (text) values (?)');
    for (const { text } of documents) insert.run(text);
    database.exec('commit');
  }
  const query = 'select rowid from plain where plain match ? order by bm25(plain), rowid limit ?';
  return (question, limit) => {
    const words = (question.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => `"${word}"`);
    if (words.length === 0) return [];
    // The packaged SQLite crashes if the database is collected before its statements.
    return database
      .prepare(query)
      .all(words.join(' OR '), limit)
      .map((row) => Number(row['rowid']) - 1);
  };
}
