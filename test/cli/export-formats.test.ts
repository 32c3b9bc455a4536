import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { useSandbox } from './run-cli.js';

const sandbox = useSandbox();
const lines = [
  '{"type":"entity","name":"Ann","entityType":"person","observations":["Likes \\"tea\\"","a, b"]}',
  '{"type":"entity","name":"a/b","entityType":"","observations":[]}',
  '{"type":"relation","from":"Ann","to":"a/b","relationType":"knows"}',
  '{"type":"relation","from":"Ann","to":"Nobody","relationType":"seeks","weight":0.5}',
];

beforeEach(async () => {
  await sandbox.run(['import', '-', '--store', 's.db'], {}, `${lines.join('\n')}\n`);
});

describe('trellis export --format', () => {
  const drawings = {
    dot: `digraph memory {
  node [shape=box];
  n1 [label="Ann\\nperson", tooltip="Likes \\"tea\\"\\na, b"];
  n2 [label="a/b"];
  n3 [label="Nobody"];
  n1 -> n2 [label="knows"];
  n1 -> n3 [label="seeks"];
}
`,
    mermaid: `flowchart LR
  n1["Ann<br/>person"]
  n2["a/b"]
  n3["Nobody"]
  n1 -->|"knows"| n2
  n1 -->|"seeks"| n3
`,
  };
  test.each(Object.entries(drawings))('%s', async (format, expected) => {
    const { code, stdout, stderr } = await sandbox.run(['export', '--store', 's.db', '--format', format]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expected });
    expect(stderr).toContain('wrote 2 nodes and 2 edges');
    expect(stderr).toContain('the history are left out');
  });

  test('graphml', async () => {
    const { stdout } = await sandbox.run(['export', '--store', 's.db', '--format', 'graphml']);
    expect(stdout).toContain(
      '<node id="n1"><data key="name">Ann</data><data key="type">person</data><data key="observations">["Likes \\"tea\\"","a, b"]</data></node>',
    );
    expect(stdout).toContain(
      '<edge source="n1" target="n3"><data key="relation">seeks</data><data key="weight">0.5</data></edge>',
    );
  });

  test('csv: a folder of two files', async () => {
    const { code } = await sandbox.run(['export', 'out', '--store', 's.db', '--format', 'csv']);
    expect(code).toBe(0);
    expect(await readFile(sandbox.path('out/nodes.csv'), 'utf8')).toBe(
      'type,name,summary,tags,observations,props\r\nperson,Ann,,[],"[""Likes \\""tea\\"""",""a, b""]",{}\r\n"",a/b,,[],[],{}\r\n',
    );
    expect(await readFile(sandbox.path('out/edges.csv'), 'utf8')).toBe(
      'from,type,to,key,weight,props\r\nAnn,knows,a/b,"",1,{}\r\nAnn,seeks,Nobody,"",0.5,{}\r\n',
    );
  });

  test('markdown: a folder with a note for each node', async () => {
    const { code } = await sandbox.run(['export', 'notes', '--store', 's.db', '--format', 'markdown']);
    expect(code).toBe(0);
    expect((await readdir(sandbox.path('notes'))).sort()).toEqual(['Ann.md', 'a-b.md']);
    expect(await readFile(sandbox.path('notes/Ann.md'), 'utf8')).toBe(
      '---\ntype: person\n---\n\n# Ann\n\n- Likes "tea"\n- a, b\n\n## Relations\n\n- knows → [[a-b|a/b]]\n- seeks → [[Nobody]]\n\n<!-- trellis {"edges":[{"type":"seeks","to":"Nobody","weight":0.5}]} -->\n',
    );
    expect(await readFile(sandbox.path('notes/a-b.md'), 'utf8')).toBe(
      '# a/b\n\n## Mentioned by\n\n- [[Ann]] → knows\n\n<!-- trellis -->\n',
    );
  });

  test.each(['csv', 'markdown'])('%s never writes into a folder that holds files', async (format) => {
    await mkdir(sandbox.path('mine'));
    await writeFile(sandbox.path('mine/Ann.md'), 'my own');
    const { code, stderr } = await sandbox.run([
      ...['export', 'mine', '--store', 's.db', '--format', format, '--force'],
    ]);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not an empty folder'),
    });
    expect(await readFile(sandbox.path('mine/Ann.md'), 'utf8')).toBe('my own');
    expect(await readdir(sandbox.path('mine'))).toEqual(['Ann.md']);
  });

  test.each(['csv', 'markdown'])('%s needs a folder, and a dry run makes none', async (format) => {
    const { code, stderr } = await sandbox.run(['export', '--store', 's.db', '--format', format]);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('Name a new folder') });
    const dry = await sandbox.run(['export', 'dry', '--store', 's.db', '--format', format, '--dry-run']);
    expect(dry.stderr).toContain('would write 2 nodes and 2 edges');
    expect(existsSync(sandbox.path('dry'))).toBe(false);
  });
});

describe('trellis query --format', () => {
  const query = 'query all() { match { $p: `person` } return { $p.name as name, $p.age as age } }';
  test.each([
    ['table', 'name  age\n----  ---\nAnn\n1 row\n'],
    ['csv', 'name,age\r\nAnn,\r\n'],
    ['json', '[{"name":"Ann","age":null}]\n'],
    ['markdown', '| name | age |\n| --- | --- |\n| Ann |  |\n'],
  ])('%s', async (format, expected) => {
    const { stdout, stderr } = await sandbox.run(['query', query, '--store', 's.db', '--format', format]);
    expect({ stdout, stderr }).toEqual({ stdout: expected, stderr: '' });
  });

  test('an unknown format is refused', async () => {
    const { code, stderr } = await sandbox.run(['query', query, '--store', 's.db', '--format', 'xml']);
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('table, csv, json, markdown'),
    });
  });
});
