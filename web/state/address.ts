import { computed, signal } from '@preact/signals';

/** Where the reader is, as the part of the page's address behind `#`: `#/notes/node/person/Ada?branch=draft`. */
export interface Address {
  readonly graph: string | undefined;
  readonly view: string;
  readonly path: readonly string[];
  readonly params: Readonly<Record<string, string>>;
}

export const defaultBranch = 'main';
const firstView = 'inbox';

export const address = signal(parseAddress(location.hash));
export const graphName = computed(() => address.value.graph ?? '');
export const branchName = computed(() => address.value.params['branch'] ?? defaultBranch);

window.addEventListener('hashchange', () => {
  address.value = parseAddress(location.hash);
});

type Params = Readonly<Record<string, string | number | boolean | undefined>>;

/** The address of a view of the current graph and branch; `branch` and `graph` lead to others. */
export function linkTo(
  view: string,
  path: readonly string[] = [],
  { graph = graphName.value, branch = branchName.value, ...params }: Params = {},
): string {
  const query = new URLSearchParams();
  if (branch !== defaultBranch) query.set('branch', String(branch));
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined && value !== '' && value !== false) query.set(name, String(value));
  }
  const text = query.toString();
  return `#/${[String(graph), view, ...path].map(encodeURIComponent).join('/')}${text === '' ? '' : `?${text}`}`;
}

export function linkToNode(
  node: { readonly type: string; readonly name: string },
  params: Params = {},
): string {
  return linkTo('node', [node.type, node.name], params);
}

export function goTo(link: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', link);
  else history.pushState(null, '', link);
  address.value = parseAddress(link);
}

/** Changes what the current view is asked for, such as the words of a search. */
export function setParams(changes: Params, { replace = true } = {}): void {
  const { view, path, params } = address.value;
  goTo(linkTo(view, path, { ...params, ...changes }), { replace });
}

function parseAddress(hash: string): Address {
  const [path = '', query = ''] = hash.replace(/^#?\/?/, '').split('?', 2);
  const [graph, view = firstView, ...rest] = path.split('/').map(decoded);
  return {
    graph: graph === '' ? undefined : graph,
    view: view === '' ? firstView : view,
    path: rest,
    params: Object.fromEntries(new URLSearchParams(query)),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
