import { describe, expect, test } from 'vitest';
import { everyTool } from '../helpers/every-tool.js';
import { gemini, maxItemsIn, openaiFunction, openaiStrict, type Rules } from './provider-rules.js';

const providers: Readonly<Record<string, Rules>> = {
  'OpenAI functions': openaiFunction,
  'OpenAI strict functions': openaiStrict,
  Gemini: gemini,
};

interface Exception {
  readonly provider: keyof typeof providers;
  /** The tools and places it is about, as `surface.tool place: fault`. */
  readonly faults: RegExp;
  readonly reason: string;
}

const open =
  'takes what only the caller can name: clients convert the rest and call this tool without strict mode';
const specified = 'the type of a parameter in a stored query, as the specification of those tools has it';

/** What is known not to fit, and why it stays. */
const exceptions: readonly Exception[] = [
  {
    provider: 'OpenAI strict functions',
    faults: /^mesh\.(add|update)_\w+ \w+: is not closed$/,
    reason: 'a schema file without additionalProperties: false takes further fields as metadata',
  },
  {
    provider: 'OpenAI strict functions',
    faults: /^graph\.(query|mutate|queries_run|stored_query_run) params: is not closed$/,
    reason: `params ${open}`,
  },
  {
    provider: 'OpenAI strict functions',
    faults: /^gate\.write_\w+ (merge_keys|from_keys|to_keys|properties): is not closed$/,
    reason: `keys and properties are those of the registry, so this ${open}`,
  },
  {
    provider: 'OpenAI strict functions',
    faults: /^graph\.(edit|gate_schema_add) \S+: is not closed$/,
    reason: 'takes properties that only the caller can name; no model sees this tool',
  },
  {
    provider: 'Gemini',
    faults: /^graph\.(edit|gate_schema_add) \S+: does not say what is in it$/,
    reason: 'takes properties that only the caller can name; no model sees this tool',
  },
  {
    provider: 'Gemini',
    faults:
      /^(graph\.(query|mutate|queries_run|stored_query_run) params|gate\.write_\w+ \w+): does not say what is in it$/,
    reason: 'an object with any members; Gemini takes it and fills it from the description',
  },
  {
    provider: 'OpenAI strict functions',
    faults: /^graph\.everything \w+: contentEncoding/,
    reason: specified,
  },
  {
    provider: 'Gemini',
    faults: /^graph\.everything \w+: (contentEncoding|pattern|format date) is not permitted$/,
    reason: specified,
  },
];

const tools = await everyTool();

describe.each(Object.entries(providers))(
  'trust 9: every tool of every surface fits the rules of %s',
  (provider, rules) => {
    const known = exceptions.filter((exception) => exception.provider === provider);
    const faultsOf = ({ surface, tool }: (typeof tools)[number]) =>
      rules(tool.name, tool.description, tool.input.schema()).map(
        (fault) => `${surface}.${tool.name} ${fault}`,
      );

    test.each(tools.map((listed) => [`${listed.surface}.${listed.tool.name}`, listed] as const))(
      '%s',
      (_, listed) => {
        const faults = faultsOf(listed).filter(
          (fault) => !known.some((exception) => exception.faults.test(fault)),
        );
        expect(faults).toEqual([]);
      },
    );

    test('no exception is out of date', () => {
      const faults = tools.flatMap(faultsOf);
      expect(known.filter((exception) => !faults.some((fault) => exception.faults.test(fault)))).toEqual([]);
    });
  },
);

test('trust 9: no tool advertises how long its lists may be, but for vectors', () => {
  const listing = tools.filter(({ tool }) => maxItemsIn(tool.input.schema()) > 0);
  expect(listing.map(({ tool }) => tool.name)).toEqual(['everything']);
});
