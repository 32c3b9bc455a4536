/** Which kinds of nodes have tools of their own, so that messages can name them. */
export interface TypesWithTools {
  has(type: string): boolean;
}
