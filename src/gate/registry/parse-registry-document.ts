import { z } from 'zod';
import { errorCodes, TrellisError } from '../../model/error.js';
import { limits } from '../../model/limits.js';
import { pathText } from '../../model/quoting.js';
import { registryType } from '../../model/registry-node.js';
import { textProblem } from '../../model/text.js';
import { isReserved, protectedFields, stripColon } from '../gate-names.js';
import { gatePropertyTypes, type SchemaDocument, type ValidatedDocument } from './schema-registry.js';

const storable = z
  .string()
  .max(limits.nameLength)
  .refine((text) => textProblem(text) === undefined, 'has a character that cannot be stored');

/** Drops the leading colon. */
const graphName = storable
  .transform(stripColon)
  .refine((name) => name !== '', 'must not be empty')
  .refine((name) => !name.startsWith(':'), 'must not begin with two colons');

const property = storable
  .min(1)
  .refine((name) => !protectedFields.has(name), 'is set by the gate, so agents cannot provide it')
  .refine((name) => !isReserved(name), 'begins with _, which is reserved for the gate');

const shared = {
  required_properties: z.array(property).default([]),
  property_types: z.record(property, z.enum(gatePropertyTypes)).default({}),
};

const nodeEntry = z.strictObject({
  label: graphName.refine(
    (label) => label !== registryType,
    `cannot be ${registryType}: that is where schemas are kept`,
  ),
  remaps_from: z.array(graphName).default([]),
  ...shared,
});

const relationEntry = z.strictObject({
  type: graphName,
  from_labels: z.array(graphName).default([]),
  to_labels: z.array(graphName).default([]),
  ...shared,
});

const schemaDocument = z
  .strictObject({
    fallback_label: graphName.optional(),
    nodes: z.array(nodeEntry).default([]),
    relationships: z.array(relationEntry).default([]),
  })
  .superRefine(({ nodes, relationships, fallback_label }, context) => {
    const problem = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message });
    const labels = new Set<string>();
    for (const [index, { label }] of nodes.entries()) {
      if (labels.has(label)) problem(['nodes', index, 'label'], `${label} is registered twice`);
      labels.add(label);
    }
    const types = new Set<string>();
    for (const [index, { type }] of relationships.entries()) {
      if (types.has(type)) problem(['relationships', index, 'type'], `${type} is registered twice`);
      types.add(type);
    }
    const absorbed = new Map<string, string>();
    for (const [index, { label, remaps_from }] of nodes.entries()) {
      for (const [at, other] of remaps_from.entries()) {
        const by = absorbed.get(other);
        if (by !== undefined && by !== label)
          problem(['nodes', index, 'remaps_from', at], `${other} is already absorbed by ${by}`);
        absorbed.set(other, label);
      }
    }
    if (fallback_label !== undefined && !labels.has(fallback_label))
      problem(['fallback_label'], `${fallback_label} is not registered under nodes`);
  }) satisfies z.ZodType<ValidatedDocument, SchemaDocument>;

/** Where an issue is in the source text, such as `line 3`. */
export type IssueLocator = (issue: DocumentIssue) => string | undefined;

/** What is used of an issue: the types of the library must not need Zod. */
interface DocumentIssue {
  readonly path: readonly PropertyKey[];
  /** Unknown keys of the value at the path. */
  readonly keys?: readonly string[];
}

const maxProblemsListed = 20;

/** Throws `SCHEMA_INVALID` with every problem of the document. */
export function parseRegistryDocument(
  given: unknown,
  name: string,
  locate: IssueLocator = () => undefined,
): ValidatedDocument {
  const parsed = schemaDocument.safeParse(given);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.slice(0, maxProblemsListed).map((issue) => {
    const where = [locate(issue), pathText(issue.path)].filter((part) => part !== undefined && part !== '');
    return [...where, messageOf(issue)].join(': ');
  });
  throw new TrellisError(
    'SCHEMA_INVALID',
    `The gate registry in ${name} is invalid: ${problems.join('; ')}.`,
    {
      hint: 'Fix it and try again.',
      publicMessage: errorCodes.SCHEMA_INVALID,
      details: { problems },
    },
  );
}

function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys')
    return `unknown ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}`;
  if (issue.code === 'custom') return issue.message;
  const [inner] = issue.code === 'invalid_key' ? issue.issues : [];
  if (inner !== undefined) return messageOf(inner);
  const message = issue.message.replace(/^Invalid (input|option): /, '');
  return message.charAt(0).toLowerCase() + message.slice(1);
}
