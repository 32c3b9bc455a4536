import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { CallOutcome } from '../../surfaces/request-context.js';
import { type ModelHealth, modelMetrics } from './model-metrics.js';

const commitsName = 'trellis_commits_total';
const commitsHelp = 'Commits made through this process, by graph.';

export class Metrics {
  readonly #registry = new Registry();
  readonly #models: () => Promise<ModelHealth>;
  readonly #calls = new Counter({
    name: 'trellis_tool_calls_total',
    help: 'Tool calls, by surface, tool and outcome.',
    labelNames: ['surface', 'tool', 'outcome'] as const,
    registers: [this.#registry],
  });
  readonly #duration = new Histogram({
    name: 'trellis_tool_call_seconds',
    help: 'Duration of tool calls.',
    labelNames: ['surface', 'tool'] as const,
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.#registry],
  });
  readonly #denials = new Counter({
    name: 'trellis_denials_total',
    help: 'Requests rejected because of their sender, by reason.',
    labelNames: ['reason'] as const,
    registers: [this.#registry],
  });
  readonly #commits = new Counter({
    name: commitsName,
    help: commitsHelp,
    labelNames: ['graph'] as const,
    registers: [this.#registry],
  });
  readonly #rejections = new Counter({
    name: 'trellis_gate_rejections_total',
    help: 'Writes rejected by the gate, by error code.',
    labelNames: ['code'] as const,
    registers: [this.#registry],
  });
  readonly #requests = new Counter({
    name: 'trellis_http_requests_total',
    help: 'HTTP requests, by status.',
    labelNames: ['status'] as const,
    registers: [this.#registry],
  });

  constructor(
    waiting: () => { readonly calls: number; readonly writes: number; readonly unsent: number },
    models: () => Promise<ModelHealth> = async () => ({ embeddings: [], languageModels: [] }),
  ) {
    this.#models = models;
    collectDefaultMetrics({ register: this.#registry });
    new Gauge({
      name: 'trellis_calls_in_flight',
      help: 'Calls in progress: running, or waiting to write.',
      registers: [this.#registry],
      collect() {
        this.set(waiting().calls);
      },
    });
    new Gauge({
      name: 'trellis_unsent_bytes',
      help: 'Bytes of responses that are still unread.',
      registers: [this.#registry],
      collect() {
        this.set(waiting().unsent);
      },
    });
    new Gauge({
      name: 'trellis_write_queue_depth',
      help: 'Writes that wait for a transaction.',
      registers: [this.#registry],
      collect() {
        this.set(waiting().writes);
      },
    });
  }

  called({ surface, tool, metricName = tool, milliseconds, code }: CallOutcome): void {
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

  rejected(code: string): void {
    this.#rejections.inc({ code });
  }

  answered(status: number): void {
    this.#requests.inc({ status });
  }

  /** Graphs that the reader cannot see are counted together. */
  async textFor(sees: (graph: string) => boolean): Promise<string> {
    const counted = await this.#counted(sees);
    return `${counted.trimEnd()}\n\n${await modelMetrics(await this.#models(), sees)}`;
  }

  async #counted(sees: (graph: string) => boolean): Promise<string> {
    const { values } = await this.#commits.get();
    const hidden = values.filter(({ labels }) => !sees(String(labels.graph)));
    if (hidden.length === 0) return this.#registry.metrics();
    const shown = new Registry();
    const commits = new Counter({
      name: commitsName,
      help: commitsHelp,
      labelNames: ['graph'] as const,
      registers: [shown],
    });
    for (const { labels, value } of values) {
      if (sees(String(labels.graph))) commits.inc({ graph: String(labels.graph) }, value);
    }
    commits.inc(hidden.reduce((sum, { value }) => sum + value, 0));
    const others = await this.#registry.getMetricsAsArray();
    const texts = others.map(({ name }) =>
      name === commitsName ? shown.metrics() : this.#registry.getSingleMetricAsString(name),
    );
    return `${(await Promise.all(texts)).map((one) => one.trimEnd()).join('\n\n')}\n`;
  }

  get contentType(): string {
    return this.#registry.contentType;
  }
}
