import { describe, expect, test } from 'vitest';
import type { Tool } from '../../src/surfaces/tool.js';
import { everyTool } from '../helpers/every-tool.js';
import { type Described, exampleOf, objectsIn, typesOf } from '../helpers/example-arguments.js';

/** The gate reads its arguments when it runs, so that a fault is a rejection like any other: see test/gate. */
const tools = (await everyTool()).filter(({ surface }) => surface !== 'gate');
const named = tools.map(({ surface, tool }) => [`${surface}.${tool.name}`, tool] as const);

function schemaOf(tool: Tool): Described {
  return tool.input.schema();
}

describe('trust 8: null for an optional argument is as if it were left out', () => {
  test.each(named)('%s', (_, tool) => {
    const given = exampleOf(schemaOf(tool));
    const expected = tool.input.parse(structuredClone(given));
    for (const { schema, value } of objectsIn(schemaOf(tool), given)) {
      for (const [name, described] of Object.entries(schema.properties ?? {})) {
        const hasMeaning = typesOf(described).includes('null') || (schema.required ?? []).includes(name);
        // What an update cannot remove it refuses to, rather than pass it over.
        if (!hasMeaning && !(tool.name.startsWith('update_') && tool.metricName !== undefined))
          value[name] = null;
      }
    }
    expect(tool.input.parse(given)).toEqual(expected);
  });
});

describe('trust 8: an empty cursor, branch or snapshot is as if it were left out', () => {
  const optional = named.flatMap(([name, tool]) =>
    ['cursor', 'branch', 'snapshot']
      .filter((argument) => schemaOf(tool).properties?.[argument] !== undefined)
      .map((argument) => [name, argument, tool] as const),
  );

  test('there are such tools', () => expect(optional.length).toBeGreaterThan(20));

  test.each(optional)('%s %s', (_, argument, tool) => {
    const given = exampleOf(schemaOf(tool));
    expect(tool.input.parse(Object.assign({}, given, { [argument]: '' }))).toEqual(tool.input.parse(given));
  });
});

describe('trust 10: an argument that is not declared is refused, at every level', () => {
  test.each(named)('%s', (_, tool) => {
    const schema = schemaOf(tool);
    if (Object.keys(schema.properties ?? {}).length === 0) {
      expect(() => tool.input.parse({ random_string: 'x' })).not.toThrow();
      return;
    }
    const levels = objectsIn(schema, exampleOf(schema)).length;
    for (let level = 0; level < levels; level += 1) {
      const given = exampleOf(schema);
      const object = objectsIn(schema, given)[level];
      if (object?.schema.additionalProperties !== false) continue;
      object.value['no_such_field'] = 'lost';
      expect(() => tool.input.parse(given)).toThrow(/no_such_field/);
    }
  });

  test.each(named)('%s says which objects are closed', (_, tool) => {
    expect(schemaOf(tool).additionalProperties).toBe(false);
  });
});
