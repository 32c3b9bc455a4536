import { signal } from '@preact/signals';
import { valueText } from '../parts/text.js';
import type { SaveOutcome } from '../state/save-edit.js';
import { callTool, RefusedError, type ToolCall } from './call-tool.js';
import { type Fact, type GraphPage, joinPages, type PageNode } from './graph-page.js';
import { canCallTools, tellModel } from './host.js';
import { isRecord } from './host-link.js';
import { canFind, correctFieldCall, loadRecordCall, type RecordOfNode, recordIn } from './record.js';
import { type GraphShown, type NodeShown, show, showInstead, toShown } from './shown.js';
import { type SurfaceName, surfaces } from './surfaces.js';

export const isBusy = signal(false);
/** Why the last action was not done. */
export const refusal = signal<string | undefined>(undefined);

/** Does something that may be refused; undefined if it was. */
export async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
  isBusy.value = true;
  refusal.value = undefined;
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    refusal.value = error.message;
    return undefined;
  } finally {
    isBusy.value = false;
  }
}

export async function search(surface: SurfaceName, text: string): Promise<void> {
  const call = surfaces[surface].search(text);
  await attempt(async () => show({ kind: 'graph', surface, page: await loadPage(call), from: call }));
}

export async function loadMore(shown: GraphShown, from: ToolCall, cursor: string): Promise<void> {
  await attempt(async () => {
    const next = await loadPage({ ...from, arguments: { ...from.arguments, cursor } });
    showInstead(shown, { ...shown, page: joinPages(shown.page, next) });
  });
}

/** A name that several nodes have shows all of them. */
export async function openNode(
  { surface, page }: Pick<GraphShown, 'surface' | 'page'>,
  wanted: Pick<PageNode, 'name'> & { readonly type?: string },
): Promise<void> {
  await attempt(async () => {
    const found = canCallTools() ? await loadPage(surfaces[surface].open(wanted)) : page;
    const nodes = found.nodes.filter(
      ({ name, type }) => name === wanted.name && type === (wanted.type ?? type),
    );
    const [node] = nodes;
    if (node === undefined) throw new RefusedError(`There is no node named ${JSON.stringify(wanted.name)}.`);
    if (nodes.length === 1) show(nodeShown(surface, node, found));
    else show({ kind: 'graph', surface, page: { ...found, nodes }, from: undefined });
  });
}

/** Replaces a fact, adds one (no fact given) or deletes one (no text given). */
export async function changeFact(
  shown: NodeShown,
  fact: Fact | undefined,
  text: string | undefined,
): Promise<SaveOutcome> {
  const { surface, node } = shown;
  const saved = await attempt(async (): Promise<SaveOutcome> => {
    // The tools cannot tell whether somebody was faster, so look first.
    const before = await reload(shown);
    const isThere = fact === undefined || before.facts?.some((one) => isSameFact(one, fact));
    if (isThere !== true) return 'changed';
    for (const call of callsFor(surface, node, fact, text)) await callTool(call);
    await reload(shown);
    tellModel(noteFor(node, fact, text));
    return 'saved';
  });
  return saved ?? 'failed';
}

function callsFor(
  surface: SurfaceName,
  node: PageNode,
  fact: Fact | undefined,
  text: string | undefined,
): readonly ToolCall[] {
  const { add, remove, correct } = surfaces[surface];
  if (fact === undefined) return text === undefined ? [] : [add(node, text)];
  return text === undefined ? [remove(node, fact)] : correct(node, fact, text);
}

function noteFor({ name }: PageNode, fact: Fact | undefined, text: string | undefined): string {
  const what = JSON.stringify(fact?.text);
  const on = `on ${JSON.stringify(name)}`;
  if (fact === undefined) return `The user added an observation ${on}: ${JSON.stringify(text)}`;
  if (text === undefined) return `The user deleted an observation ${on}: ${what}`;
  return `The user corrected an observation ${on}: ${what} is now ${JSON.stringify(text)}`;
}

/** As it is now, if the query says what to look for. */
export async function openRecord(record: RecordOfNode): Promise<void> {
  show({ kind: 'record', record });
  if (canCallTools() && canFind(record)) await attempt(() => reloadRecord(record));
}

/** Changes a property of a node that a query returned. */
export async function correctField(record: RecordOfNode, field: string, text: string): Promise<SaveOutcome> {
  const saved = await attempt(async (): Promise<SaveOutcome> => {
    const { structured } = await callTool(correctFieldCall(record, field, text));
    await reloadRecord(record);
    if (structured?.['affected_nodes'] === 0) return 'changed';
    const what = `${field} of ${JSON.stringify(record.id)}`;
    tellModel(`The user corrected ${what}: ${valueText(record.fields[field])} is now ${text}`);
    return 'saved';
  });
  return saved ?? 'failed';
}

async function reloadRecord(record: RecordOfNode): Promise<void> {
  const { structured } = await callTool(loadRecordCall(record));
  const [row] = Array.isArray(structured?.['rows']) ? structured['rows'] : [];
  const now = recordIn(isRecord(row) ? row['node'] : undefined, 'node', undefined);
  if (now === undefined) throw new RefusedError('Somebody deleted this node.');
  showInstead({ kind: 'record', record }, { kind: 'record', record: { ...record, fields: now.fields } });
}

async function reload(shown: NodeShown): Promise<PageNode> {
  const { surface, node } = shown;
  const page = await loadPage(surfaces[surface].open(node));
  const now = page.nodes.find(({ name, type }) => name === node.name && type === node.type);
  if (now === undefined) throw new RefusedError('Somebody deleted this node.');
  showInstead(shown, nodeShown(surface, now, page));
  return now;
}

function isSameFact(one: Fact, other: Fact): boolean {
  return one.text === other.text && one.ordinal === other.ordinal;
}

export function nodeShown(surface: SurfaceName, node: PageNode, { edges }: GraphPage): NodeShown {
  const { name } = node;
  return { kind: 'node', surface, node, edges: edges.filter(({ from, to }) => from === name || to === name) };
}

async function loadPage(call: ToolCall): Promise<GraphPage> {
  const shown = toShown(await callTool(call), call, call.arguments);
  if (shown.kind === 'graph') return shown.page;
  throw new RefusedError('The server sent something that is not a list of nodes.');
}
