import { expect } from 'vitest';
import type { Graph } from '../../src/engine/graph.js';
import { exportLines } from '../../src/ingest/export-lines.js';

/** All of a graph, as an export says it. */
export async function exportedLines<Line = unknown>(graph: Graph): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const page of exportLines((work) => graph.read(work)))
    lines.push(...page.lines.map((line) => JSON.parse(line)));
  return lines;
}

/** Expects a write to be refused, and to leave the graph as it was. */
export async function expectRefused(graph: Graph, writing: Promise<unknown>, error: object): Promise<void> {
  writing.catch(() => {});
  const before = await exportedLines(graph);
  await expect(writing).rejects.toMatchObject(error);
  expect(await exportedLines(graph)).toEqual(before);
}
