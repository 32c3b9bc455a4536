import { effect, signal } from '@preact/signals';
import { api } from '../api/graph-api.js';
import { type ApiError, request } from '../api/request.js';
import { address, goTo, linkTo } from './address.js';
import { needsSignIn, token } from './session.js';
import { asApiError } from './use-load.js';

export interface Access {
  readonly actor_id: string;
  readonly actions: readonly string[];
}

/** The graphs that the reader can reach; undefined until known. */
export const graphs = signal<readonly string[] | undefined>(undefined);
export const graphsError = signal<ApiError | undefined>(undefined);
export const branches = signal<readonly string[]>([]);
/** Who the reader is, and what the policy allows on this branch. */
export const access = signal<Access | undefined>(undefined);

export function may(action: string): boolean {
  return access.value?.actions.includes(action) ?? false;
}

/** Keeps the lists of graphs and branches, and the reader's permissions, in step with token and address. */
export function followServer(): void {
  effect(() => {
    void token.value;
    if (!needsSignIn.value) void loadGraphs();
  });
  effect(() => {
    void token.value;
    const { graph } = api.value;
    if (graph !== '' && !needsSignIn.value) void loadGraph();
  });
}

export async function loadGraphs(): Promise<void> {
  try {
    const found = await request<{ readonly graphs: readonly { readonly graph_id: string }[] }>(
      'GET',
      'graphs',
    );
    const names = found.graphs.map(({ graph_id }) => graph_id);
    graphs.value = names;
    graphsError.value = undefined;
    const [first] = names;
    if (address.peek().graph === undefined && first !== undefined) {
      goTo(linkTo('inbox', [], { graph: first }), { replace: true });
    }
  } catch (error) {
    graphsError.value = asApiError(error);
  }
}

export async function loadGraph(): Promise<void> {
  const asked = api.peek();
  const [listed, allowed] = await Promise.allSettled([asked.branches(), asked.get<Access>(['access'])]);
  if (asked !== api.peek()) return;
  branches.value = listed.status === 'fulfilled' ? listed.value.branches : [];
  access.value = allowed.status === 'fulfilled' ? allowed.value : undefined;
}
