import { signal } from '@preact/signals';
import type { Conflict } from '../api/types.js';
import type { ToolCall } from './call-tool.js';
import { type GraphPage, type PageEdge, type PageNode, strings, toGraphPage } from './graph-page.js';
import { hostContext, link } from './host.js';
import { isRecord, type Params } from './host-link.js';
import type { RecordOfNode } from './record.js';
import type { SurfaceName } from './surfaces.js';
import { parseToolResult, type ToolResult } from './tool-result.js';

export interface GraphShown {
  readonly kind: 'graph';
  readonly surface: SurfaceName;
  readonly page: GraphPage;
  /** The call that returned it. */
  readonly from: ToolCall | undefined;
}

export interface NodeShown {
  readonly kind: 'node';
  readonly surface: SurfaceName;
  readonly node: PageNode;
  readonly edges: readonly PageEdge[];
}

export interface RowsShown {
  readonly kind: 'rows';
  readonly columns: readonly string[];
  readonly rows: readonly Params[];
  readonly plan: readonly string[] | undefined;
  readonly from: ToolCall | undefined;
}

export interface RecordShown {
  readonly kind: 'record';
  readonly record: RecordOfNode;
}

export interface MergeShown {
  readonly kind: 'merge';
  readonly outcome: string;
  readonly conflicts: readonly Conflict[];
  readonly request: Params;
}

export type Shown =
  | GraphShown
  | NodeShown
  | RowsShown
  | RecordShown
  | MergeShown
  | { readonly kind: 'text'; readonly texts: readonly string[]; readonly isError: boolean };

/** What the person has opened, one after the other; the last is visible. */
export const trail = signal<readonly Shown[]>([]);

export function show(next: Shown): void {
  trail.value = [...trail.value, next];
}

/** Instead of what is visible, unless the person has moved on to something else meanwhile. */
export function showInstead(previous: Shown, next: Shown): void {
  const visible = trail.value.at(-1);
  if (visible === undefined || !isSameThing(visible, previous)) return;
  trail.value = [...trail.value.slice(0, -1), next];
}

/** Perhaps loaded again since. */
function isSameThing(one: Shown, other: Shown): boolean {
  if (one.kind === 'node' && other.kind === 'node')
    return one.node.name === other.node.name && one.node.type === other.node.type;
  if (one.kind === 'record' && other.kind === 'record')
    return one.record.id === other.record.id && one.record.type === other.record.type;
  return one === other;
}

export function goBack(): void {
  trail.value = trail.value.slice(0, -1);
}

/** Shows what the host reports of the call that the page was opened for. */
export function followTool(): void {
  let input: Params = {};
  link.on('ui/notifications/tool-input', ({ arguments: given }) => {
    input = isRecord(given) ? given : {};
  });
  link.on('ui/notifications/tool-result', (result) => {
    const { toolInfo } = hostContext.value;
    const tool = isRecord(toolInfo) && isRecord(toolInfo['tool']) ? toolInfo['tool']['name'] : undefined;
    const from = typeof tool === 'string' ? { name: tool, arguments: input } : undefined;
    trail.value = [toShown(parseToolResult(result), from, input)];
  });
  link.on('ui/notifications/tool-cancelled', ({ reason }) => {
    trail.value = [
      { kind: 'text', texts: ['The call was cancelled.', String(reason ?? '')], isError: false },
    ];
  });
}

/** Each surface is recognized by the form of its results. */
export function toShown(result: ToolResult, from: ToolCall | undefined, input: Params): Shown {
  const { structured: found, texts, isError } = result;
  if (found === undefined || (isError && !Array.isArray(found['conflicts'])))
    return { kind: 'text', texts, isError };
  if (Array.isArray(found['conflicts']) || typeof found['outcome'] === 'string') return toMerge(found, input);
  if (Array.isArray(found['rows']))
    return {
      ...{ kind: 'rows', columns: strings(found['columns']), rows: found['rows'].filter(isRecord), from },
      plan: Array.isArray(found['plan']) ? strings(found['plan']) : undefined,
    };
  const { data } = found;
  if (isRecord(data)) {
    const page = toGraphPage({ ...found, ...data }, data['nodes'], data['edges']);
    return { kind: 'graph', surface: 'mesh', page, from };
  }
  const isMemory = Array.isArray(found['entities']) && found['not_found'] === undefined;
  const nodes = found['entities'] ?? found['nodes'] ?? found['results'];
  if (!Array.isArray(nodes)) return { kind: 'text', texts, isError };
  const page = toGraphPage(found, nodes, found['relations']);
  return { kind: 'graph', surface: isMemory ? 'memory' : 'workspace', page, from };
}

function toMerge(found: Params, input: Params): MergeShown {
  const { outcome, conflicts } = found;
  return {
    kind: 'merge',
    outcome: typeof outcome === 'string' ? outcome : 'conflicts',
    conflicts: Array.isArray(conflicts) ? conflicts.filter(isConflict) : [],
    request: { ...input, ...(typeof found['target'] === 'string' ? { target: found['target'] } : {}) },
  };
}

function isConflict(value: unknown): value is Conflict {
  return isRecord(value) && typeof value['id'] === 'string' && typeof value['kind'] === 'string';
}
