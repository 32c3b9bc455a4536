import { z } from 'zod';
import { signatureAlgorithms } from '../../access/oidc/oidc-settings.js';
import { cypherSchemes, isCypherUrl } from '../../cypher/cypher-settings.js';
import {
  conflictPolicies,
  formulaKeywords,
  registryKeywords,
  suspiciousTextPolicies,
  unknownLabelPolicies,
} from '../../gate/gate-settings.js';
import { actorPlaceholder, findShadowedRule, type TrustRule } from '../../gate/review/trust-rules.js';
import { llmProviders } from '../../llm/llm-settings.js';
import { graphOrBranchNameProblem } from '../../model/graph-or-branch-name.js';
import { mainBranch } from '../../model/graph-record.js';
import { gateLimits, limits, perspectiveLimits, queryLimits, workspaceLimits } from '../../model/limits.js';
import { embedderNames } from '../../search/embedders/open-embedder.js';
import { maxRerankCandidates, rerankProviders } from '../../search/rerank/rerank-settings.js';
import { logLevels } from '../../server/log-levels.js';
import { searchFallbacks, storedQueryTools } from '../../surfaces/surface.js';
import { surfaceNames } from '../../surfaces/surface-registry.js';
import { block, nonEmptyText, nullAsEmpty } from './config-field-shapes.js';
import { serversShape } from './servers-shape.js';

const store = nonEmptyText.refine((value) => /\.(db|jsonl?)$|^postgres(ql)?:\/\//i.test(value), {
  error: 'must be a path that ends in .db, .jsonl or .json, or a postgres:// URL',
});

const trustRule = z
  .strictObject({
    below: z.number().gt(0).max(1).optional(),
    methods: z.array(nonEmptyText).min(1).optional(),
    branch: branchTemplate(),
  })
  .refine(({ below, methods }) => below !== undefined || methods !== undefined, {
    error: 'must have below, methods or both: what to hold on the branch',
  });

const gate = block({
  registry: keywordOrPath(registryKeywords, 'a file or module such as ./gate.yaml'),
  unknown_label_policy: z.enum(unknownLabelPolicies),
  fallback_label: nonEmptyText.max(limits.nameLength),
  formula: keywordOrPath(formulaKeywords, 'a module such as ./formula.js'),
  conflicts: z.enum(conflictPolicies),
  trust: z.array(trustRule).max(gateLimits.trustRules).superRefine(refuseShadowedRule),
  suspicious_text: z.enum(suspiciousTextPolicies),
  target: nonEmptyText.refine(isCypherUrl, {
    error: `must be a URL that begins with ${cypherSchemes.map((scheme) => `${scheme}//`).join(', ')}`,
  }),
  database: nonEmptyText,
  auth: z.strictObject({ user: nonEmptyText, password_env: nonEmptyText }),
});

const policy = block({ file: nonEmptyText, protected_branches: z.array(nonEmptyText) });

const perspectives = z
  .array(
    z.strictObject({
      name: nonEmptyText.max(limits.nameLength),
      instruction: nonEmptyText.max(perspectiveLimits.instructionLength),
    }),
  )
  .min(1)
  .max(perspectiveLimits.perspectives)
  .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, {
    error: 'must not name a perspective twice',
  });

const storedQuery = z.preprocess(
  nullAsEmpty,
  z.strictObject({
    file: nonEmptyText,
    mcp: block({
      expose: z.boolean(),
      tool_name: nonEmptyText.regex(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits, _ or -'),
    }).optional(),
  }),
);

/** As in the query language. */
const queryName = z.string().regex(/^[a-z_]\w{0,127}$/, {
  error: 'is not a query name: start with a lowercase letter or _, then use letters, digits and _',
});

const count = z.int().min(1);

const graph = block({
  surface: z.enum(surfaceNames),
  schema: nonEmptyText.regex(/\.pg$/i, 'must be a file that ends in .pg'),
  schemas: nonEmptyText,
  queries: z.preprocess(nullAsEmpty, z.record(queryName, storedQuery)),
  gate,
  perspectives,
  policy,
  limits: block({
    rows: count.max(queryLimits.maxRows),
    read_ms: count,
    depth: count.max(workspaceLimits.maxDepth),
  }),
});

const server = block({
  host: nonEmptyText,
  port: z.int().min(0).max(65_535),
  public_url: z.url({ protocol: /^https?$/ }),
  allowed_hosts: z.array(nonEmptyText),
  allowed_origins: z.array(nonEmptyText),
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
    .preprocess(nullAsEmpty, z.strictObject({ file: nonEmptyText, env: nonEmptyText }).partial())
    .refine(({ file, env }) => (file === undefined) !== (env === undefined), {
      error: 'must name either a file or, with env, an environment variable',
    }),
  oidc: z.preprocess(
    nullAsEmpty,
    z.strictObject({
      issuer: nonEmptyText,
      audience: z.union([nonEmptyText, z.array(nonEmptyText).min(1)]),
      jwks_uri: nonEmptyText.optional(),
      jwks_file: nonEmptyText.optional(),
      algorithms: z.array(z.enum(signatureAlgorithms)).min(1).optional(),
      actor_claim: nonEmptyText.optional(),
      groups_claim: nonEmptyText.optional(),
      tenant_claim: nonEmptyText.optional(),
      clock_skew: z.int().min(0).max(600).optional(),
      client_id: nonEmptyText.optional(),
      scopes: z.array(nonEmptyText).optional(),
    }),
  ),
});

/** What meaning counts in hybrid search beside words. */
export const meaningWeightShape = z.number().min(0).max(10);

const embedding = block({
  provider: z.enum(embedderNames),
  model: nonEmptyText,
  url: z.url({ protocol: /^https?$/ }),
  api_key_env: nonEmptyText,
  meaning_weight: meaningWeightShape,
  perspectives,
});

const llm = block({
  provider: z.enum(llmProviders),
  model: nonEmptyText,
  url: z.url({ protocol: /^https?$/ }),
  api_key_env: nonEmptyText,
  concurrency: z.int().min(1).max(64),
});

const rerank = block({
  provider: z.enum(rerankProviders),
  model: nonEmptyText,
  url: z.url({ protocol: /^https?$/ }),
  api_key_env: nonEmptyText,
  timeout_ms: z.int().min(50).max(60_000),
  candidates: z.int().min(2).max(maxRerankCandidates),
});

const mcp = block({
  allow_adhoc: z.boolean(),
  stored_query_tools: z.enum(storedQueryTools),
  search_fallback: z.enum(searchFallbacks),
});

export const configShape = block({
  store,
  server,
  auth,
  policy,
  schemas: nonEmptyText,
  gate,
  embedding,
  llm,
  rerank,
  mcp,
  servers: serversShape,
  graphs: z.preprocess(nullAsEmpty, z.record(nonEmptyText.max(limits.nameLength), graph)),
});

export type ConfigContent = z.output<typeof configShape>;
export type GateBlock = z.output<typeof gate>;
export type GraphBlock = z.output<typeof graph>;
export type ServerBlock = z.output<typeof server>;
export type AuthBlock = z.output<typeof auth>;
export type PolicyBlock = z.output<typeof policy>;

/** The rules are tried in their order, so a wide one before a narrow one is a mistake. */
function refuseShadowedRule(rules: readonly TrustRule[], context: z.RefinementCtx): void {
  const shadowed = findShadowedRule(rules);
  if (shadowed === undefined) return;
  context.addIssue({
    code: 'custom',
    path: [shadowed.rule],
    message: `never applies: gate.trust.${shadowed.by} comes first and holds all that it would. Put it first, or remove it`,
  });
}

/** The name of a branch, in which `{actor}` is replaced later. */
function branchTemplate() {
  return nonEmptyText.superRefine((value, context) => {
    const problem = templateProblem(value);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
  });
}

function templateProblem(template: string): string | undefined {
  const name = template.replaceAll(actorPlaceholder, 'actor');
  if (template.length > gateLimits.branchTemplate)
    return `must have at most ${gateLimits.branchTemplate} characters`;
  if (name === mainBranch) return `must not be ${mainBranch}: held writes wait on a branch of their own`;
  if (/[{}]/.test(name)) return `may only contain the placeholder ${actorPlaceholder}`;
  const problem = graphOrBranchNameProblem(name);
  return problem === undefined ? undefined : `is not the name of a branch: it ${problem}`;
}

/** A misspelt keyword must not be taken for a file, so a path has to look like one. */
function keywordOrPath(words: readonly string[], path: string) {
  return nonEmptyText.superRefine((value, context) => {
    if (words.includes(value) || /[/\\]|\.[a-z]+$/i.test(value)) return;
    context.addIssue({
      code: 'custom',
      message: `must be ${words.join(', ')}, or ${path}`,
      params: { words },
    });
  });
}
