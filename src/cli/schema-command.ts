import type { Command, CommandOptions } from 'commander';
import { z } from 'zod';
import { resolvePath } from '../config/paths.js';
import { Graph } from '../engine/graph.js';
import { TrellisError } from '../model/error.js';
import { formatMeshSchemaProblem } from '../schema/mesh/mesh-schema-problem.js';
import { type CommonOptions, dataOptions, jsonOption } from './command-options.js';
import { defineGateSchemaAdd } from './gate/gate-schema-add-command.js';
import { defineGateSchemaRemove } from './gate/gate-schema-command.js';
import { defineGateSchemaList } from './gate/gate-schema-list-command.js';
import { formatMeshSchema, lintMeshSchemas, type MeshSchemaReport } from './lint/lint-mesh-schemas.js';
import { note, pluralize, print } from './print.js';
import { withStoreOrServer } from './remote/graph-tools.js';
import { defineSchemaApply, defineSchemaPlan } from './schema/schema-apply-command.js';

const help = `
A graph schema, in the .pg language, says what a graph may hold. It validates every write, whichever
surface it comes from. For what the write gate accepts, see trellis gate schema; trellis lint checks
schema files without a store.

Examples:
  $ trellis schema plan work.pg
  $ trellis schema apply work.pg
  $ trellis schema show
`;

export function define(command: Command): void {
  command.addHelpText('after', help);
  defineSchemaShow(command);
  defineSchemaPlan(command);
  defineSchemaApply(command);
  for (const defineOld of [defineGateSchemaAdd, defineGateSchemaList, defineGateSchemaRemove]) {
    const old = defineOld(command, { hidden: true });
    noteNewName(old, `gate schema ${old.name()}`);
  }
  noteNewName(defineMeshSchemaCheck(command, { hidden: true }), 'lint');
}

function noteNewName(old: Command, name: string): void {
  old.hook('preAction', () => note(`trellis schema ${old.name()} is now trellis ${name}`));
}

function defineSchemaShow(schema: Command): void {
  const command = schema.command('show').description('Print the schema of a graph in the .pg language.');
  dataOptions(command).action(show);
}

async function show(options: CommonOptions): Promise<void> {
  const { graph, schema } = await withStoreOrServer(options, {
    store: async (store, name) => ({
      graph: name,
      schema: await new Graph(store, name).read((reader) => reader.schema()),
    }),
    server: async (tools) => {
      const { schema_source: source } = await tools.call('schema_get', {}, schemaAnswer);
      return { graph: tools.graph, schema: source === '' ? null : source };
    },
  });
  if (options.json === true) print({ graph, schema });
  else if (schema !== null) print(schema.trimEnd());
  else
    throw new TrellisError('NOT_FOUND', `The graph ${graph} has no schema.`, {
      hint: 'Give it one with: trellis schema apply FILE',
    });
}

const schemaAnswer = z.object({ schema_source: z.string() });

/** The predecessor of `trellis lint` for mesh schemas. It keeps its output for programs. */
function defineMeshSchemaCheck(parent: Command, visibility: CommandOptions): Command {
  const command = parent.command('check', visibility).argument('<folder>', 'a folder of mesh schemas');
  return jsonOption(command.description('Check the mesh schemas of a folder.')).action(checkMeshSchemas);
}

async function checkMeshSchemas(given: string, options: { readonly json?: boolean }): Promise<void> {
  const folder = resolvePath(given);
  const report = await lintMeshSchemas(folder);
  const ok = report.problems.length === 0;
  print(options.json ? { ok, folder, ...report } : meshReportText(folder, report));
  if (!ok) process.exitCode = 1;
}

function meshReportText(folder: string, { schemas, tokens, warnings, problems }: MeshSchemaReport): string {
  if (schemas.length + problems.length === 0) return `${folder} has no mesh schemas (.schema.json).`;
  return [
    ...schemas.map(formatMeshSchema),
    ...warnings.map((warning) => `warning: ${warning}`),
    ...problems.map((problem) => `problem: ${formatMeshSchemaProblem(problem)}`),
    `${folder}: ${pluralize(schemas.length, 'schema')}, ${pluralize(schemas.length * 3, 'tool')}, about ${pluralize(tokens, 'token')} in the list of tools` +
      `${problems.length > 0 ? `, ${pluralize(problems.length, 'problem')}` : ''}`,
  ].join('\n');
}
