/** What a property can hold. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Properties of a node or an edge. */
export type Props = Readonly<Record<string, Json>>;
