import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { otherLabel, type RefusedWrite } from '../../gate/refused-write.js';
import type { EmbeddingHealth } from '../../search/embedding/embedding-health.js';
import type { StoreSize } from '../../store/maintenance.js';
import type { CallOutcome } from '../../surfaces/request-context.js';

/** Counted for each graph; who may not see a graph sees the sums of all such graphs. */
const commitLabels = ['graph'] as const;
const refusalLabels = ['graph', 'actor', 'label', 'reason'] as const;

function counter<Label extends string>(registry: Registry, name: string, help: string, labelNames: Label[]) {
  return new Counter({ name, help, labelNames, registers: [registry] });
}

function commitCounter(registry: Registry) {
  return counter(registry, 'trellis_commits_total', 'Commits made through this process, by graph.', [
    ...commitLabels,
  ]);
}

const gateCounters = {
  rejected: (registry: Registry) =>
    counter(registry, 'trellis_gate_rejections_total', 'Writes rejected by the gate, by error code.', [
      ...refusalLabels,
    ]),
  held: (registry: Registry) =>
    counter(registry, 'trellis_gate_held_total', 'Writes that the gate holds for review.', [
      ...refusalLabels,
    ]),
};

type GaugeValue = number | undefined;

/** Without a value, the gauge is left out. */
function gauge(
  registry: Registry,
  name: string,
  help: string,
  value: () => GaugeValue | Promise<GaugeValue>,
): void {
  new Gauge({
    ...{ name, help, registers: [registry] },
    async collect() {
      const now = await value();
      if (now === undefined) this.remove();
      else this.set(now);
    },
  });
}

const noModels: ModelHealth = { embeddings: [], languageModels: [] };

export class Metrics {
  readonly #registry = new Registry();
  readonly #models: () => Promise<ModelHealth>;
  readonly #calls = counter(
    this.#registry,
    'trellis_tool_calls_total',
    'Tool calls, by surface, tool and outcome.',
    ['surface', 'tool', 'outcome'],
  );
  readonly #duration = new Histogram({
    name: 'trellis_tool_call_seconds',
    help: 'Duration of tool calls.',
    labelNames: ['surface', 'tool'] as const,
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.#registry],
  });
  readonly #denials = counter(
    this.#registry,
    'trellis_denials_total',
    'Requests rejected because of their sender, by reason.',
    ['reason'],
  );
  readonly #commits = commitCounter(this.#registry);
  readonly #rejections = gateCounters.rejected(this.#registry);
  readonly #held = gateCounters.held(this.#registry);
  readonly #actors = new BoundedNames(maxActors);
  readonly #labels = new BoundedNames(maxLabels);
  readonly #requests = counter(this.#registry, 'trellis_http_requests_total', 'HTTP requests, by status.', [
    'status',
  ]);

  constructor(
    waiting: () => { readonly calls: number; readonly writes: number; readonly unsent: number },
    models: () => Promise<ModelHealth> = async () => noModels,
    size?: () => Promise<StoreSize>,
  ) {
    this.#models = models;
    const registry = this.#registry;
    collectDefaultMetrics({ register: registry });
    const calls = 'Calls in progress: running, or waiting to write.';
    gauge(registry, 'trellis_calls_in_flight', calls, () => waiting().calls);
    const unsent = 'Bytes of responses that are still unread.';
    gauge(registry, 'trellis_unsent_bytes', unsent, () => waiting().unsent);
    const writes = 'Writes that wait for a transaction.';
    gauge(registry, 'trellis_write_queue_depth', writes, () => waiting().writes);
    // A store that cannot be asked has no size; readiness says why.
    const sizes = async () => size?.().catch(() => undefined);
    const data = 'Bytes that the store takes.';
    gauge(registry, 'trellis_store_bytes', data, async () => (await sizes())?.data);
    const log = 'Bytes of the log of writes that are not yet in the data file.';
    gauge(registry, 'trellis_store_log_bytes', log, async () => (await sizes())?.log);
  }

  countCall({ surface, tool, metricName = tool, milliseconds, code }: CallOutcome): void {
    // Unknown tools share one name: clients must not fill memory with names.
    const name = metricName ?? 'unknown';
    this.#calls.inc({ surface, tool: name, outcome: code ?? 'ok' });
    if (tool === undefined || code === 'UNKNOWN_TOOL') this.denied('tool');
    else this.#duration.observe({ surface, tool: name }, milliseconds / 1000);
  }

  denied(reason: 'unauthenticated' | 'rate' | 'concurrency' | 'unread' | 'origin' | 'graph' | 'tool'): void {
    this.#denials.inc({ reason });
  }

  committed(graph: string): void {
    this.#commits.inc({ graph });
  }

  refused(graph: string, { outcome, actor, label, reason }: RefusedWrite): void {
    const counter = outcome === 'held' ? this.#held : this.#rejections;
    counter.inc({ graph, actor: this.#actors.bound(actor), label: this.#labels.bound(label), reason });
  }

  answered(status: number): void {
    this.#requests.inc({ status });
  }

  /** Graphs that the reader cannot see are counted together. */
  async textFor(sees: (graph: string) => boolean): Promise<string> {
    const counted = await this.#counted(sees);
    // What is counted here must stay readable while the store is gone.
    const models = await this.#models().catch(() => noModels);
    return `${counted.trimEnd()}\n\n${await modelMetrics(models, sees)}`;
  }

  async #counted(sees: (graph: string) => boolean): Promise<string> {
    const shown = new Registry();
    const hiding = [
      await withoutHidden(this.#commits, commitCounter(shown), sees),
      await withoutHidden(this.#rejections, gateCounters.rejected(shown), sees),
      await withoutHidden(this.#held, gateCounters.held(shown), sees),
    ];
    if (!hiding.includes(true)) return this.#registry.metrics();
    const names = new Set((await shown.getMetricsAsArray()).map(({ name }) => name));
    const others = await this.#registry.getMetricsAsArray();
    const texts = others.map(({ name }) =>
      (names.has(name) ? shown : this.#registry).getSingleMetricAsString(name),
    );
    return `${(await Promise.all(texts)).map((one) => one.trimEnd()).join('\n\n')}\n`;
  }

  get contentType(): string {
    return this.#registry.contentType;
  }
}

/** Copies the counts of visible graphs, and sums the rest by reason. Returns whether there is a rest. */
async function withoutHidden<Label extends string>(
  from: Counter<Label>,
  to: Counter<string>,
  sees: (graph: string) => boolean,
): Promise<boolean> {
  let isHiding = false;
  for (const { labels, value } of (await from.get()).values) {
    const all: Readonly<Record<string, string | number | undefined>> = { ...labels };
    const isVisible = sees(String(all['graph']));
    isHiding ||= !isVisible;
    const { reason } = all;
    if (isVisible) to.inc(definedLabels(all), value);
    else to.inc(reason === undefined ? {} : { reason }, value);
  }
  return isHiding;
}

function definedLabels(
  labels: Readonly<Record<string, string | number | undefined>>,
): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(labels).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

const maxActors = 200;
const maxLabels = 500;

/** The first names as they are, and `other` for those after them: clients must not fill memory with names. */
class BoundedNames {
  readonly #names = new Set<string>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  bound(name: string): string {
    if (this.#names.size < this.#max) this.#names.add(name);
    return this.#names.has(name) ? name : otherLabel;
  }
}

interface ModelHealth {
  readonly embeddings: readonly EmbeddingHealth[];
  readonly languageModels: readonly { readonly id: string; readonly isUp: boolean }[];
}

function modelMetrics(
  { embeddings, languageModels }: ModelHealth,
  sees: (graph: string) => boolean,
): Promise<string> {
  const registry = new Registry();
  const gauge = <Label extends string>(name: string, help: string, label: Label) =>
    new Gauge({ name, help, labelNames: [label], registers: [registry] });
  const up = gauge('trellis_embedder_up', 'Whether the last attempt to embed succeeded.', 'embedder');
  const coverage = gauge(
    'trellis_embedding_coverage',
    'The share of the observations of a graph that can be searched by meaning.',
    'graph',
  );
  const backlog = gauge(
    'trellis_embedding_backlog',
    'Observations of a graph that wait for a vector.',
    'graph',
  );
  const model = gauge('trellis_language_model_up', 'Whether the language model answered last time.', 'model');
  for (const { embedder, isUp, graphs } of embeddings) {
    up.set({ embedder }, isUp ? 1 : 0);
    for (const one of graphs.filter(({ graph }) => sees(graph))) {
      coverage.set({ graph: one.graph }, one.coverage);
      backlog.set({ graph: one.graph }, one.backlog);
    }
  }
  for (const { id, isUp } of languageModels) model.set({ model: id }, isUp ? 1 : 0);
  return registry.metrics();
}
