import { z } from 'zod';
import { signatureAlgorithms } from '../../access/oidc/settings.js';
import { conflictPolicies, unknownLabelPolicies } from '../../gate/gate-settings.js';
import { llmProviders } from '../../llm/llm-settings.js';
import { limits, perspectiveLimits, queryLimits, workspaceLimits } from '../../model/limits.js';
import { embedderNames } from '../../search/embedders/open-embedder.js';
import { logLevels } from '../../server/log-levels.js';
import { surfaceNames } from '../../surfaces/registry.js';
import { storedQueryTools } from '../../surfaces/surface.js';
import { formulaWords, registryWords } from '../gate-words.js';
import { namedServers } from './servers-schema.js';
import { block, line, nothingIsEmpty } from './shapes.js';

const store = line.refine((value) => /\.(db|jsonl?)$|^postgres(ql)?:\/\//i.test(value), {
  error: 'must be a path that ends in .db, .jsonl or .json, or a postgres:// URL',
});

const gate = block({
  registry: wordOrPath(registryWords, 'a file or module such as ./gate.yaml'),
  unknown_label_policy: z.enum(unknownLabelPolicies),
  fallback_label: line.max(limits.nameLength),
  formula: wordOrPath(formulaWords, 'a module such as ./formula.js'),
  conflicts: z.enum(conflictPolicies),
});

const policy = block({ file: line, protected_branches: z.array(line) });

const perspectives = z
  .array(
    z.strictObject({
      name: line.max(limits.nameLength),
      instruction: line.max(perspectiveLimits.instructionLength),
    }),
  )
  .min(1)
  .max(perspectiveLimits.perspectives)
  .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, {
    error: 'must not name a perspective twice',
  });

const storedQuery = z.preprocess(
  nothingIsEmpty,
  z.strictObject({
    file: line,
    mcp: block({
      expose: z.boolean(),
      tool_name: line.regex(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits, _ or -'),
    }).optional(),
  }),
);

/** As in the query language; the registry key is the name of the query in its file. */
const queryName = z.string().regex(/^[a-z_]\w{0,127}$/, {
  error:
    'is no name of a query: it begins with a small letter or _, and has letters, digits and _ after that',
});

const count = z.int().min(1);

const graph = block({
  surface: z.enum(surfaceNames),
  schema: line.regex(/\.pg$/i, 'must be a file that ends in .pg'),
  schemas: line,
  queries: z.preprocess(nothingIsEmpty, z.record(queryName, storedQuery)),
  gate,
  perspectives,
  policy,
  limits: block({
    rows: count.max(queryLimits.mostRows),
    read_ms: count,
    depth: count.max(workspaceLimits.mostDepth),
  }),
});

const server = block({
  host: line,
  port: z.int().min(0).max(65_535),
  public_url: z.url({ protocol: /^https?$/ }),
  allowed_hosts: z.array(line),
  allowed_origins: z.array(line),
  log: z.enum(logLevels),
  limits: block({
    requests_per_minute: count,
    concurrency: count,
    arrival_ms: count,
    send_ms: count,
    unsent_bytes: count,
    unsent_bytes_total: count,
    read_ms: count,
    depth: count,
    streams: count,
  }),
});

const auth = block({
  tokens: z
    .preprocess(nothingIsEmpty, z.strictObject({ file: line, env: line }).partial())
    .refine(({ file, env }) => (file === undefined) !== (env === undefined), {
      error: 'must name either a file or, with env, an environment variable',
    }),
  oidc: z.preprocess(
    nothingIsEmpty,
    z.strictObject({
      issuer: line,
      audience: z.union([line, z.array(line).min(1)]),
      jwks_uri: line.optional(),
      jwks_file: line.optional(),
      algorithms: z.array(z.enum(signatureAlgorithms)).min(1).optional(),
      actor_claim: line.optional(),
      groups_claim: line.optional(),
      tenant_claim: line.optional(),
      clock_skew: z.int().min(0).max(600).optional(),
    }),
  ),
});

const embedding = block({
  provider: z.enum(embedderNames),
  model: line,
  url: z.url({ protocol: /^https?$/ }),
  api_key_env: line,
  perspectives,
});

const llm = block({
  provider: z.enum(llmProviders),
  model: line,
  url: z.url({ protocol: /^https?$/ }),
  api_key_env: line,
  concurrency: z.int().min(1).max(64),
});

const mcp = block({
  allow_adhoc: z.boolean(),
  stored_query_tools: z.enum(storedQueryTools),
});

/** Everything that `trellis.yaml` may hold. A new block is one more entry here. */
export const configSchema = block({
  store,
  server,
  auth,
  policy,
  schemas: line,
  gate,
  embedding,
  llm,
  mcp,
  servers: namedServers,
  graphs: z.preprocess(nothingIsEmpty, z.record(line.max(limits.nameLength), graph)),
});

export type ConfigContent = z.output<typeof configSchema>;
export type GateBlock = z.output<typeof gate>;
export type GraphBlock = z.output<typeof graph>;
export type ServerBlock = z.output<typeof server>;
export type AuthBlock = z.output<typeof auth>;
export type PolicyBlock = z.output<typeof policy>;

/** A misspelt word must not be taken for a file, so a path has to look like one. */
function wordOrPath(words: readonly string[], path: string) {
  return line.superRefine((value, context) => {
    if (words.includes(value) || /[/\\]|\.[a-z]+$/i.test(value)) return;
    context.addIssue({
      code: 'custom',
      message: `must be ${words.join(', ')}, or ${path}`,
      params: { words },
    });
  });
}
