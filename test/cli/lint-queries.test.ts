import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { useSandbox } from './run-cli.js';

const sandbox = useSandbox();

const schema = `node Person { email: String @key  age: I32?  level: enum(junior, senior) }
node City { name: String @key }
edge Knows: Person -> Person { since: Date? }
edge LivesIn: Person -> City
`;

const nothing = { nodes: [], edges: [] };

/** What `lint --json` says of the queries in a file. */
async function described(text: string, withSchema = true) {
  if (withSchema) await writeFile(sandbox.path('work.pg'), schema);
  await writeFile(sandbox.path('q.gq'), text);
  const { stdout } = await sandbox.run(['lint', 'q.gq', '--json']);
  const { problems, queries } = JSON.parse(stdout);
  expect(problems.filter(({ severity }: { severity: string }) => severity === 'error')).toEqual([]);
  return queries;
}

test('describes the parameters, the columns and the types of a read', async () => {
  const queries = await described(`query near($email: String, $ages: [I32]?) {
  match {
    $p: Person { email: $email }
    $p $k: knows $q
    $q.age in $ages
    not { $q livesIn $_ }
  }
  return { $q, $k, $q.age as age, $q.level as level, $k.since as since, $q.age > 30 as old, $q.@id as id }
}`);
  expect(queries).toEqual([
    {
      file: 'q.gq',
      name: 'near',
      kind: 'read',
      parameters: [
        { name: 'email', type: 'String', nullable: false },
        { name: 'ages', type: '[I32]', nullable: true },
      ],
      columns: [
        { name: 'q', type: 'node', nullable: false },
        { name: 'k', type: 'edge', nullable: false },
        { name: 'age', type: 'I32', nullable: true },
        { name: 'level', type: 'enum(junior, senior)', nullable: false },
        { name: 'since', type: 'Date', nullable: true },
        { name: 'old', type: 'Bool', nullable: true },
        { name: 'id', type: 'String', nullable: false },
      ],
      reads: { nodes: ['City', 'Person'], edges: ['Knows', 'LivesIn'] },
      writes: nothing,
    },
  ]);
});

test('an aggregate can be null without values, and a block counts as read wherever it is', async () => {
  const [grouped, single, blocks, plan] = await described(`
query grouped() { match { $p: Person } return { $p.level as level, count($p) as people, max($p.email) as last, avg($p.age) as age } }
query single() { match { $p: Person } return { count($p) as people, max($p.email) as last } }
query blocks() {
  match { $c: City }
  return { $c.name as name, count { $_ livesIn $c } as people, sum($p.age) { $p livesIn $c } as years, min($p.age) { $p livesIn $c } as youngest, sum($p.age) { $p livesIn $c } > 90 as old, $c.name starts_with "O" and 1 < 2 as early }
}
explain query plan() { match { $c: City } return { $c.name } }`);
  expect(grouped.columns).toEqual([
    { name: 'level', type: 'enum(junior, senior)', nullable: false },
    { name: 'people', type: 'I64', nullable: false },
    { name: 'last', type: 'String', nullable: false },
    { name: 'age', type: 'F64', nullable: true },
  ]);
  expect(single.columns).toEqual([
    { name: 'people', type: 'I64', nullable: false },
    { name: 'last', type: 'String', nullable: true },
  ]);
  expect(blocks.columns).toEqual([
    { name: 'name', type: 'String', nullable: false },
    { name: 'people', type: 'I64', nullable: false },
    { name: 'years', type: 'F64', nullable: false },
    { name: 'youngest', type: 'I32', nullable: true },
    { name: 'old', type: 'Bool', nullable: false },
    { name: 'early', type: 'Bool', nullable: false },
  ]);
  expect(blocks.reads).toEqual({ nodes: ['City', 'Person'], edges: ['LivesIn'] });
  expect(plan.columns).toEqual([{ name: 'step', type: 'String', nullable: false }]);
});

test('a mutation reads and writes its types, and deleting a node its edges', async () => {
  const [insert, update, remove] = await described(`
query add($email: String) { insert City { name: "Oslo" } insert LivesIn { from: $email, to: "Oslo" } }
query age($email: String) { update Person set { age: 1 } where email = $email }
query leave($name: String) { delete City where name = $name }`);
  expect(insert).toMatchObject({
    ...{ kind: 'mutation', columns: [] },
    // An edge leads between nodes that must be there.
    reads: { nodes: ['City', 'Person'], edges: ['LivesIn'] },
    writes: { nodes: ['City'], edges: ['LivesIn'] },
  });
  expect(update).toMatchObject({
    reads: { nodes: ['Person'], edges: [] },
    writes: { nodes: ['Person'], edges: [] },
  });
  expect(remove).toMatchObject({
    reads: { nodes: ['City'], edges: ['LivesIn'] },
    writes: { nodes: ['City'], edges: ['LivesIn'] },
  });
});

test('without a schema, types of values are unknown and of nodes may be any', async () => {
  const [read, remove] = await described(
    `query read() { match { $p: Person  $p knows $q } return { $q.age as age } }
query leave() { delete Person where age = 1 }`,
    false,
  );
  expect(read).toMatchObject({
    columns: [{ name: 'age', type: null, nullable: true }],
    reads: { nodes: ['*', 'Person'], edges: ['knows'] },
  });
  expect(remove.writes).toEqual({ nodes: ['Person'], edges: ['*'] });
});

test('a file with an error is not described', async () => {
  await writeFile(sandbox.path('bad.gq'), 'query bad() { match { $p: Person } return { $q } }');
  const { code, stdout } = await sandbox.run(['lint', 'bad.gq', '--json']);
  expect([code, JSON.parse(stdout)]).toEqual([1, expect.objectContaining({ errors: 1, queries: [] })]);
});
