import { Hono } from 'hono';
import { z } from 'zod';
import type { Actor } from '../../../access/actor.js';
import { actions } from '../../../access/permission.js';
import { type GraphRecord, mainBranch } from '../../../model/graph-record.js';
import type { ObjectJsonSchema } from '../../../model/json.js';
import { limits } from '../../../model/limits.js';
import { serverGraphsList } from '../../../surfaces/graph/server-graphs-list.js';
import type { RequestOrigin } from '../../../surfaces/request-context.js';
import { parseArguments } from '../../../surfaces/tool-arguments.js';
import { lazyJsonSchema } from '../../../surfaces/tool-json-schema.js';
import type { AppOptions } from '../app.js';
import type { GraphAdmin } from '../graph-admin.js';
import type { Env } from '../middleware.js';
import { graphInPath } from '../surface-address.js';
import { handleRestErrors } from './rest-errors.js';
import {
  type ArgumentSource,
  bodyArguments,
  noArguments,
  pathArgument,
  queryArguments,
  readAllArguments,
} from './route-arguments.js';

export interface GraphRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly status: 200 | 201;
  readonly title: string;
  readonly description: string;
  readonly args: readonly ArgumentSource[];
  input(): ObjectJsonSchema;
  output(): ObjectJsonSchema;
  run(options: AppOptions, origin: RequestOrigin, given: unknown): Promise<object>;
}

interface AdminRoute<I extends z.ZodObject, O extends z.ZodObject>
  extends Omit<GraphRoute, 'input' | 'output' | 'run'> {
  readonly input: I;
  readonly output: O;
  run(admin: GraphAdmin, origin: RequestOrigin, args: z.output<I>): Promise<z.output<O>>;
}

const name = (description: string) => z.string().max(limits.nameLength).describe(description);

const graphOutput = z.object({ name: z.string(), created_at: z.string() });

export const graphRouteTable: readonly GraphRoute[] = [
  {
    method: 'GET',
    path: '/graphs',
    status: 200,
    title: serverGraphsList.title,
    description: 'List the graphs that you can reach, by name. Needs graph_list.',
    args: [noArguments],
    input: serverGraphsList.input.schema,
    output: () => serverGraphsList.output?.() ?? { type: 'object' },
    async run({ endpoints }, origin) {
      return (await endpoints.run('server', origin, serverGraphsList.name, {})).structured;
    },
  },
  adminRoute({
    method: 'POST',
    path: '/graphs',
    status: 201,
    title: 'Create a graph',
    description: 'Create an empty graph. Needs graph_admin.',
    args: [bodyArguments],
    input: z.object({ name: name('The name of the graph') }),
    output: graphOutput,
    async run(admin, origin, args) {
      return toGraphOutput(await admin.create(origin, args.name));
    },
  }),
  adminRoute({
    method: 'PATCH',
    path: '/graphs/:graph',
    status: 200,
    title: 'Rename a graph',
    description: 'Rename a graph; the old name stops working. Needs graph_admin on both names.',
    args: [bodyArguments, pathArgument('graph')],
    input: z.object({ graph: name('The graph'), name: name('Its new name') }),
    output: graphOutput,
    async run(admin, origin, args) {
      return toGraphOutput(await admin.rename(origin, args.graph, args.name));
    },
  }),
  adminRoute({
    method: 'DELETE',
    path: '/graphs/:graph',
    status: 200,
    title: 'Delete a graph',
    description:
      'Delete a graph with all its nodes, edges, branches and history. This cannot be undone, so repeat its name to confirm. Needs graph_admin.',
    args: [queryArguments('confirm'), pathArgument('graph')],
    input: z.object({ graph: name('The graph'), confirm: name('The name of the graph again').optional() }),
    output: z.object({ name: z.string(), deleted: z.literal(true) }),
    async run(admin, origin, args) {
      await admin.remove(origin, args.graph, args.confirm);
      return { name: args.graph, deleted: true as const };
    },
  }),
  adminRoute({
    method: 'GET',
    path: '/graphs/:graph/policy',
    status: 200,
    title: 'Explain the policy',
    description:
      'Tell what an actor may do on a branch of a graph, and which rule of the policy decides. Needs graph_admin.',
    args: [queryArguments('actor', 'groups', 'tenant', 'scopes', 'branch'), pathArgument('graph')],
    input: z.object({
      graph: name('The graph'),
      actor: name('The actor'),
      groups: name('The groups of its token, separated by commas').optional(),
      tenant: name('The tenant of its token').optional(),
      scopes: name('The scopes of its token, separated by commas').optional(),
      branch: name('The branch; default: main').optional(),
    }),
    output: z.object({
      has_policy: z.boolean().describe('False if the server has no tokens: everything is allowed'),
      actor_id: z.string(),
      branch: z.string(),
      actions: z.array(
        z.object({ action: z.enum(actions), allowed: z.boolean(), rule: z.string().optional() }),
      ),
      mentioned: z
        .object({ actors: z.array(z.string()), groups: z.array(z.string()) })
        .describe('The names in the policy'),
    }),
    async run(admin, origin, { graph, actor: id, tenant, branch = mainBranch, ...given }) {
      const [groups, scopes] = [splitNames(given.groups), splitNames(given.scopes)];
      const actor: Actor = {
        id,
        groups,
        scopes,
        source: 'token',
        ...(tenant === undefined ? {} : { tenant }),
      };
      const { hasPolicy, decisions, mentioned } = await admin.explain(origin, graph, { actor, branch });
      return {
        ...{ has_policy: hasPolicy, actor_id: id, branch, actions: [...decisions] },
        mentioned: { actors: [...mentioned.actors], groups: [...mentioned.groups] },
      };
    },
  }),
];

function splitNames(given = ''): readonly string[] {
  return given
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

export function graphRoutes(options: AppOptions): Hono<Env> {
  const app = new Hono<Env>();
  for (const { method, path, status, args, title, run } of graphRouteTable) {
    app.on(method, path, async (context) => {
      const { origin } = context.var;
      if (path.includes(':graph')) graphInPath(context.req);
      const given = await readAllArguments(context, args, options.limits.depth);
      const answer = await run(options, origin, given);
      if (method !== 'GET')
        options.log.info({ request: origin.requestId, actor: origin.actor.id, ...answer }, title);
      return context.json(answer, status);
    });
  }
  return handleRestErrors(app, options);
}

function adminRoute<I extends z.ZodObject, O extends z.ZodObject>(route: AdminRoute<I, O>): GraphRoute {
  const { input, output, run, ...rest } = route;
  return {
    ...rest,
    input: lazyJsonSchema(input, 'input'),
    output: lazyJsonSchema(output, 'output'),
    run: ({ admin }, origin, given) => run(admin, origin, parseArguments(input, route.title, given)),
  };
}

function toGraphOutput({ name: graph, createdAt }: GraphRecord): z.output<typeof graphOutput> {
  return { name: graph, created_at: new Date(createdAt).toISOString() };
}
