import { Gauge, Registry } from 'prom-client';
import type { EmbeddingHealth } from '../../search/embedding/embedding-health.js';

export interface ModelHealth {
  readonly embeddings: readonly EmbeddingHealth[];
  readonly languageModels: readonly { readonly id: string; readonly isUp: boolean }[];
}

export function modelMetrics(
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
