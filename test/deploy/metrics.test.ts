import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { Metrics } from '../../src/server/http/metrics.js';
import { deployed } from './deployed-server.js';

const rulesShape = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z
        .array(
          z.strictObject({
            alert: z.string().regex(/^Trellis[A-Z]\w+$/),
            expr: z.string(),
            for: z.string().regex(/^\d+m$/),
            labels: z.strictObject({ severity: z.enum(['warning', 'critical']) }),
            annotations: z.strictObject({ summary: z.string(), description: z.string().optional() }),
          }),
        )
        .nonempty(),
    }),
  ),
});

const panelShape = z.strictObject({
  id: z.number().int(),
  type: z.enum(['timeseries', 'stat']),
  title: z.string(),
  description: z.string().optional(),
  datasource: z.strictObject({ type: z.literal('prometheus'), uid: z.string() }),
  gridPos: z.strictObject({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
  fieldConfig: z.object({ defaults: z.strictObject({ unit: z.string(), min: z.number() }) }),
  targets: z
    .array(z.strictObject({ refId: z.string(), expr: z.string(), legendFormat: z.string() }))
    .nonempty(),
});
const dashboardShape = z.object({
  uid: z.string(),
  title: z.string(),
  schemaVersion: z.number(),
  templating: z.object({ list: z.array(z.object({ name: z.string(), type: z.string() })) }),
  panels: z.array(panelShape).nonempty(),
});

const rules = rulesShape.parse(parse(await deployed('alerts.yaml'))).groups.flatMap((group) => group.rules);
const dashboard = dashboardShape.parse(JSON.parse(await deployed('grafana-dashboard.json')));
const queries = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

/** The names of metrics in an expression: what is left without labels, functions and numbers. */
function metricNames(expression: string): string[] {
  const bare = expression.replace(/\{[^}]*\}|\[[^\]]*\]|\bby \([^)]*\)/g, ' ');
  return Array.from(bare.matchAll(/\b[a-z_]+\b(?!\s*\()/g), ([name]) => name).filter(
    (name) => !['sum', 'min', 'max', 'e'].includes(name),
  );
}

/** What `/metrics` prints once each kind of thing has happened. */
async function printedNames(): Promise<Set<string>> {
  const models = {
    embeddings: [{ embedder: 'e', isUp: true, graphs: [{ graph: 'g', coverage: 1, backlog: 0 }] }],
    languageModels: [{ id: 'm', isUp: true }],
  };
  const metrics = new Metrics(
    () => ({ calls: 0, writes: 0, unsent: 0 }),
    async () => models,
    async () => ({ data: 1, log: 1 }),
  );
  metrics.countCall({ surface: 'memory', graph: 'g', actor: 'ann', tool: 'search_nodes', milliseconds: 1 });
  metrics.denied('rate');
  metrics.committed('g');
  metrics.refused('work', { outcome: 'rejected', actor: 'a', label: 'l', reason: 'r' });
  metrics.refused('work', { outcome: 'held', actor: 'a', label: 'l', reason: 'r' });
  metrics.answered(200);
  const text = await metrics.textFor(() => true);
  return new Set(Array.from(text.matchAll(/^([a-z_0-9]+)(?:\{| )/gm), ([, name = '']) => name));
}

test('the dashboard and the alerts name only metrics that exist', async () => {
  // Prometheus itself makes `up`.
  const printed = (await printedNames()).add('up');
  const named = [...queries, ...rules.map(({ expr }) => expr)].flatMap(metricNames);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !printed.has(name))).toEqual([]);
});

test('the dashboard shows every metric that the documentation lists', async () => {
  const documented = (await readFile('docs/server.md', 'utf8')).matchAll(/^\| `(trellis_\w+)`/gm);
  const shown = queries.flatMap(metricNames).map((name) => name.replace(/_bucket$/, ''));
  const names = Array.from(documented, ([, name]) => name);
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !shown.includes(name ?? ''))).toEqual([]);
});

test('labels in the dashboard and the alerts are those of the metrics', async () => {
  const text = await readFile('docs/server.md', 'utf8');
  const labels = new Set(
    Array.from(text.matchAll(/^\| `trellis_\w+` \| (.+?) \|/gm), ([, cell = '']) => cell).flatMap((cell) =>
      Array.from(cell.matchAll(/`(\w+)`/g), ([, label = '']) => label),
    ),
  );
  const expressions = [...queries, ...rules.map(({ expr }) => expr)];
  const used = expressions.flatMap((expr) => [
    ...Array.from(expr.matchAll(/\bby \(([^)]*)\)/g), ([, list = '']) => list.split(', ')).flat(),
    ...Array.from(expr.matchAll(/(\w+)(?:=~|!=|=)"/g), ([, label = '']) => label),
  ]);
  const ofPrometheus = ['instance', 'job', 'le', 'status'];
  expect(used.filter((label) => !labels.has(label) && !ofPrometheus.includes(label))).toEqual([]);
});

test('panels do not overlap, and have ids of their own', () => {
  const cells = dashboard.panels.map(({ gridPos: { x, y } }) => `${x} ${y}`);
  expect(new Set(cells).size).toBe(cells.length);
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
});
