import { describe, expect, test } from 'vitest';
import { callLines, toolAnswer, useSandbox } from '../../cli/run-cli.js';
import { person, registerPeople } from '../gate-client.js';
import type { GateKind } from '../gate-kinds.js';
import type { GraphDatabase } from '../graph-database.js';

/** The commands of the built program that talk to a graph database. */
export function commands(kind: GateKind): void {
  describe(`the command line, on ${kind.kind}`, () => {
    const sandbox = useSandbox();
    const store = ['--store', 'a.db'];
    const database = (): GraphDatabase => kind.database?.() ?? expect.fail('This is about graph databases.');
    const url = () => database().settings.target ?? '';
    const prepare = async () => {
      await database().clear();
      await registerPeople(database());
    };
    const write = async (args: object) => {
      const { stdout, stderr } = await sandbox.run(
        ['stdio', '--surface', 'gate', '--target', url(), ...store],
        {},
        callLines('write_node', args),
      );
      return toolAnswer(stdout) ?? expect.fail(stdout + stderr);
    };
    const stateOf = async (...more: string[]) => {
      const run = await sandbox.run(['gate', 'constraints', '--target', url(), '--json', ...more]);
      expect(run.stderr).toBe('');
      const { constraints } = JSON.parse(run.stdout) as {
        constraints: { label: string; properties: string[]; state: string }[];
      };
      const found = constraints.find(
        ({ label, properties }) => `${label} ${properties}` === 'Passport number',
      );
      return found?.state;
    };

    test('gate constraints lists what is missing, creates it, and finds it again', async () => {
      await prepare();
      const key = ['--key', 'Passport:number'];
      expect(['missing', 'present']).toContain(await stateOf(...key));
      expect(['created', 'present']).toContain(await stateOf('--apply', ...key));
      expect(await stateOf(...key)).toBe('present');
    });

    test('gate constraints without a graph database says what to do', async () => {
      const { code, stderr } = await sandbox.run(['gate', 'constraints']);
      expect(code).not.toBe(0);
      expect(stderr).toContain('--target');
    });

    test('gate schema is refused with a target, because the registry is there', async () => {
      const { code, stderr } = await sandbox.run([
        ...['gate', 'schema', 'add', 'Dog', ...store],
        ...['--config', await configWithTarget()],
      ]);
      expect(code).not.toBe(0);
      expect(stderr).toContain(url());
    });

    const configWithTarget = async () => {
      const { writeFile } = await import('node:fs/promises');
      const path = sandbox.path('target.yaml');
      await writeFile(path, `gate: { target: '${url()}' }\n`);
      return path;
    };

    test('export --to publishes a graph, import --from takes it back, and both can be repeated', async () => {
      await prepare();
      const answer = await write(person('Ada', { age: 36 }, { derived_from: [] }));
      expect(answer).toMatchObject({ status: 'written' });
      const taken = await sandbox.run(['import', '--from', url(), '--json', ...store]);
      expect(taken).toMatchObject({ code: 0 });
      expect(JSON.parse(taken.stdout)).toMatchObject({ imported: expect.anything() });
      await database().clear();
      for (const _ of ['once', 'again']) {
        const sent = await sandbox.run(['export', '--to', url(), ...store]);
        expect(sent).toMatchObject({ code: 0 });
        const [ada, ...others] = await database().nodes();
        expect(others).toEqual([]);
        expect(ada).toMatchObject({ type: 'Person', props: { name: 'Ada', age: 36 } });
      }
      await sandbox.run(['import', '--from', url(), '--store', 'b.db']);
      const shown = await sandbox.run(['get', 'Ada', '--json', '--store', 'b.db']);
      expect(JSON.parse(shown.stdout)).toMatchObject({
        node: { provenance: { source: 'test', extraction_method: 'manual', confidence: 0.675 } },
      });
    });

    test('export --to an address where nothing listens names it, and fails', async () => {
      const ada = { name: 'Ada', entityType: 'person', observations: [] };
      await sandbox.run(['stdio', ...store], {}, callLines('create_entities', { entities: [ada] }));
      const { code, stderr } = await sandbox.run(['export', '--to', 'bolt://127.0.0.1:1', ...store]);
      expect(code).not.toBe(0);
      expect(stderr).toContain('127.0.0.1:1');
    });
  });
}
