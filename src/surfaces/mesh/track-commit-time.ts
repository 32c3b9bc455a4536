import type { CallContext } from '../call-context.js';

/** A call that remembers when it happened: at the time of its commit, or, if it wrote nothing, now. */
export function trackCommitTime(call: CallContext): { readonly call: CallContext; time(): number } {
  let written: number | undefined;
  return {
    call: {
      ...call,
      graph: {
        ...call.graph,
        write: (work) =>
          call.graph.write((tx) => {
            written = tx.rows.now;
            return work(tx);
          }),
      },
    },
    time: () => written ?? call.now(),
  };
}
