import pg from 'pg';
import { routingProblems } from './routing-problems.js';

/**
 * Holds every statement that a store sends to PostgreSQL, in any test, against the rule that lets a distributed database
 * send it to one node. Tests themselves, migrations and doctor send plain texts, which are not checked.
 */
const checked = new Set<string>();
const { query } = pg.Client.prototype;
const isPatched = Symbol.for('trellis.test.checks-statements');

if (!(isPatched in query)) {
  const checkedQuery = new Proxy(query, {
    apply(target, client, args: unknown[]) {
      const [config] = args;
      if (typeof config === 'object' && config !== null && 'text' in config && 'values' in config) {
        check(String(config.text));
      }
      return Reflect.apply(target, client, args);
    },
  });
  Object.assign(pg.Client.prototype, { query: Object.assign(checkedQuery, { [isPatched]: true }) });
}

function check(text: string): void {
  if (checked.has(text)) return;
  checked.add(text);
  const problems = routingProblems(text);
  if (problems.length > 0) throw new Error(`${problems.join('; ')}:\n${text}`);
}
