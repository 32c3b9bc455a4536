/** Finds the nodes of a type, in creation order, without looking at the others. */
export const createTypeIndex: readonly string[] = [
  `create index node_live_type on node_row (graph, branch, stub, type, order_seq, order_position)
    where died is null`,
];
