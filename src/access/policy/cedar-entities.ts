import type { CedarValueJson, EntityJson, TypeAndId } from '@cedar-policy/cedar-wasm/nodejs';

export const serverEntity: TypeAndId = { type: 'Server', id: 'trellis' };

export function graphId(graph: string): TypeAndId {
  return { type: 'Graph', id: graph };
}

/** `Branch::"work/main"`. */
export function branchId(graph: string, branch: string): TypeAndId {
  return { type: 'Branch', id: inGraph(graph, branch) };
}

/** `StoredQuery::"work/find_user"`. */
export function queryId(graph: string, query: string): TypeAndId {
  return { type: 'StoredQuery', id: inGraph(graph, query) };
}

/** Escapes slashes, or `a/b` in `c` and `b` in `c/a` could get the same id. */
function inGraph(graph: string, name: string): string {
  return `${graph.replaceAll('%', '%25').replaceAll('/', '%2F')}/${name}`;
}

export function graphOfId(id: string): string | undefined {
  const end = id.indexOf('/');
  return end === -1 ? undefined : id.slice(0, end).replaceAll('%2F', '/').replaceAll('%25', '%');
}

export function nameInGraph(id: string, graph: string): string | undefined {
  const prefix = inGraph(graph, '');
  return id.startsWith(prefix) ? id.slice(prefix.length) : undefined;
}

/** An attribute whose value Cedar leaves open. */
export function unknownValue(name: string): CedarValueJson {
  return { __extn: { fn: 'unknown', arg: name } };
}

export function partOfGraph(
  uid: TypeAndId,
  graph: string,
  attrs: Record<string, CedarValueJson>,
): EntityJson {
  return { uid, attrs, parents: [graphId(graph)] };
}

export function keyOfEntity({ type, id }: TypeAndId): string {
  return `${type}::${id}`;
}
