import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { buildProgram, commandNames } from '../../src/cli/program.js';
import { allKeys } from '../../src/config/file/config-keys.js';
import { environmentVariables } from '../../src/config/setting-layers.js';
import { stixScales } from '../../src/gate/formula/stix-formula.js';
import { errorCodes } from '../../src/model/error.js';
import { configLimits, gateLimits, limits, meshSchemaLimits, proxyLimits } from '../../src/model/limits.js';
import { meshPropertyTypes } from '../../src/schema/mesh/mesh-schema.js';
import { sampleSets } from '../../src/schema/mesh/mesh-schema-samples.js';
import { parseMeshSchema } from '../../src/schema/mesh/parse-mesh-schema.js';
import { defaultLimits } from '../../src/server/http/limits/server-limits.js';
import { Metrics } from '../../src/server/http/metrics.js';
import { openApiPath } from '../../src/server/http/openapi/openapi-operation.js';
import { graphRouteTable } from '../../src/server/http/rest/graph-routes.js';
import { toolRouteTable } from '../../src/server/http/rest/graph-tool-routes.js';
import { surfaceNames } from '../../src/surfaces/surface-registry.js';
import { surfaceOn } from '../helpers/surfaces.js';
import { headings, mentions, page, root, section } from './pages.js';

const program = await buildProgram(commandNames);

const surfaces = await Promise.all(surfaceNames.map((name) => surfaceOn(name)));

describe.each(surfaces)('the $name surface', (surface) => {
  const tools = page(`docs/${surface.name}-tools.md`);

  test.each(surface.tools.map((tool) => tool.name))('%s has a section', (tool) => {
    expect(section(tools, `## ${tool}`)).toBeDefined();
  });

  test.each(surface.tools.map((tool) => [tool.name, tool] as const))('the arguments of %s', (_, tool) => {
    const given = Object.keys(tool.input.schema()['properties'] as object);
    expect(given.filter((argument) => !mentions(tools.text, argument))).toEqual([]);
  });

  test('resources, prompts and instructions', () => {
    for (const { uri } of surface.resources) expect(tools.text).toContain(uri);
    for (const prompt of surface.prompts) expect(mentions(tools.text, prompt.name)).toBe(true);
    expect(tools.text).toContain(surface.instructions);
  });

  test.each(Object.entries(limits))('the bound %s', (_, bound) => {
    expect(tools.text).toContain(bound.toLocaleString('en-US'));
  });
});

test.each(Object.entries(gateLimits))('the bound %s of the write gate', (_, bound) => {
  expect(page('docs/gate-tools.md').text).toContain(bound.toLocaleString('en-US'));
});

test.each(Object.entries(proxyLimits))('the bound %s of the proxy', (name, bound) => {
  const shown = name.endsWith('Ms') ? `${bound / 1000} s` : bound.toLocaleString('en-US');
  expect(page('docs/proxy.md').text).toContain(shown);
});

test('every route of plain HTTP has a row', () => {
  const text = `${page('docs/rest.md').text}${page('docs/graph-tools.md').text}`;
  const rows = [
    ...graphRouteTable.map(({ method, path }) => `${method} ${openApiPath(path)}`),
    ...toolRouteTable.map(({ method, path }) => `${method} ${path.split(':')[0]}`),
  ];
  expect(rows.filter((row) => !text.includes(`\`${row}`))).toEqual([]);
});

test.each(Object.entries(stixScales))('the terms of the scale %s', (_, terms) => {
  const text = section(page('docs/write-gate.md'), '## Formulas') ?? '';
  const missing = Object.keys(terms).filter((term) => !/^[3-9]$/.test(term) && !mentions(text, term));
  expect(missing).toEqual([]);
});

describe('the command line', () => {
  const reference = page('docs/command-line.md');

  test('every command has a section of its own', () => {
    const missing = program.commands.filter(
      (command) => section(reference, headingOf(command)) === undefined,
    );
    expect(missing.map((command) => command.name())).toEqual([]);
  });

  test('every section is about a command that exists', () => {
    const described = headings(reference).filter((heading) => heading.startsWith('trellis '));
    const known = [...program.commands.map((command) => `trellis ${command.name()}`), 'trellis help'];
    expect(described.filter((heading) => !known.includes(heading))).toEqual([]);
  });

  test('every subcommand, argument and flag stands in the section of its command', () => {
    const missing = program.commands.flatMap((command) => {
      const text = section(reference, headingOf(command)) ?? '';
      return wordsOf(command).filter((word) => !mentions(text, word));
    });
    expect(missing).toEqual([]);
  });

  test('the flags of trellis itself', () => {
    const missing = [...flagsOf(program), '-h', '--help'].filter((flag) => !mentions(reference.text, flag));
    expect(missing).toEqual([]);
  });
});

describe('schema files', () => {
  const reference = page('docs/schemas.md');

  test.each(Object.entries(meshSchemaLimits))('the bound %s', (_, bound) => {
    expect(section(reference, '## What is refused, and why')).toContain(`| ${bound.toLocaleString('en-US')}`);
  });

  test('every type of property and every set of samples', () => {
    const missing = [...meshPropertyTypes, ...sampleSets].filter((word) => !mentions(reference.text, word));
    expect(missing).toEqual([]);
  });

  test('the file it begins with is sound', () => {
    const [, json = ''] = /^```json\n(.*?)^```$/ms.exec(reference.text) ?? [];
    expect(parseMeshSchema(json, 'service.schema.json')).toMatchObject({
      schema: { type: 'service' },
      warnings: [],
    });
  });
});

test('every environment variable', () => {
  const table = section(page('docs/command-line.md'), '## Environment variables') ?? '';
  const used = new Set([...Object.values(environmentVariables), ...variablesInSource()]);
  expect([...used].filter((name) => !mentions(table, name))).toEqual([]);
});

describe('the configuration', () => {
  const reference = page('docs/configuration.md');
  const table = section(reference, '## The keys') ?? '';

  test.each(allKeys())('the key %s has a row', (key) => {
    expect(table).toContain(`\n| \`${key}\` |`);
  });

  test('no key that does not exist', () => {
    const described = [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, key]) => key);
    expect(described).toEqual(allKeys());
  });

  test.each(Object.entries(configLimits))('the bound %s', (_, bound) => {
    expect(section(reference, '## Bounds')).toContain(bound.toLocaleString('en-US'));
  });
});

describe('the server', () => {
  const reference = page('docs/server.md');
  const camelToSnake = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

  test('every metric of its own has a row', async () => {
    const text = await new Metrics(() => ({ calls: 0, writes: 0, unsent: 0 })).textFor(() => true);
    const names = [...text.matchAll(/^# TYPE (trellis_\w+)/gm)].map(([, name]) => name);
    expect(names).toContain('trellis_tool_calls_total');
    const table = section(reference, '## Metrics') ?? '';
    expect(names.filter((name) => !table.includes(`\n| \`${name}\` |`))).toEqual([]);
  });

  test.each(Object.entries(defaultLimits))(
    'the limit %s stands with its default in both tables',
    (name, bound) => {
      const key = `server.limits.${camelToSnake(name)}`;
      expect(page('docs/configuration.md').text).toMatch(
        new RegExp(`\\| \`${key}\` \\|.*\\| ${bound} \\|\\n`),
      );
      const row = section(reference, '## Limits')
        ?.split('\n')
        .find((line) => line.includes(`\`${key}\``));
      const shown = name.endsWith('Ms') ? `${bound / 1000} s` : bound.toLocaleString('en-US');
      expect(row).toContain(`| ${shown} |`);
    },
  );
});

describe('errors', () => {
  const reference = page('docs/errors.md');

  test.each(Object.keys(errorCodes))('%s has a section that says something', (code) => {
    expect(section(reference, `### ${code}`)?.trim()).toMatch(/\w/);
  });

  test('no code that does not exist', () => {
    const described = headings(reference).filter((heading) => /^[A-Z_]+$/.test(heading));
    expect(described.filter((code) => !(code in errorCodes))).toEqual([]);
  });
});

function headingOf(command: Command): string {
  return `## trellis ${command.name()}`;
}

/** What the documentation of a command must name: its subcommands, arguments and flags. */
function wordsOf(command: Command): string[] {
  return [
    ...visibleCommands(command).flatMap((child) => [`${command.name()} ${child.name()}`, ...wordsOf(child)]),
    ...command.registeredArguments.map((argument) => argument.name()),
    ...flagsOf(command),
  ];
}

/** Without hidden ones, which are old spellings. */
function flagsOf(command: Command): string[] {
  return command.options
    .filter(({ hidden }) => !hidden)
    .flatMap(({ short, long }) => [short, long])
    .filter((flag) => flag !== undefined);
}

/** Hidden ones are old spellings. */
function visibleCommands(command: Command): readonly Command[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .filter((child) => child.name() !== 'help');
}

/** The environment variables the source asks for by name. */
function variablesInSource(): string[] {
  const source = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(root, 'src', name), 'utf8'))
    .join('\n');
  const asked = /(?:\benv\.|\benv\[['"]|\bvariable\([\w.]+, ['"])([A-Z][A-Z0-9_]+)/g;
  return [...source.matchAll(asked)].flatMap(([, name]) => name ?? []);
}
