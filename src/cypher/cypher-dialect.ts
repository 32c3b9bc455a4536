import type { Json } from '../model/json.js';

/** A uniqueness rule of a graph database. */
export interface KeyConstraint {
  readonly label: string;
  readonly properties: readonly string[];
}

/** How one graph database differs from the others in what the gate needs of Cypher. */
export interface CypherDialect {
  readonly name: 'neo4j' | 'memgraph' | 'falkordb';
  readonly title: string;
  /** Why nothing can have this name; undefined if something can. */
  nameProblem(name: string): string | undefined;
  /** A name, free of problems, as an identifier that holds nothing but the name. */
  quote(name: string): string;
  /** Why a property cannot have this value; undefined if it can. */
  valueProblem(value: Json): string | undefined;
  /** The expression for the id of a node or relationship. */
  idOf(variable: string): string;
  /** The expression for a time, which the parameter holds as ISO 8601. */
  timestamp(parameter: string): string;
  /**
   * The clause that locks a node to the end of the transaction, and changes nothing; the node has the property. A write
   * locks its nodes before it compares them with what it read. Undefined if no other query runs between the parts of
   * one that writes.
   */
  readonly lock: ((variable: string, property: string) => string) | undefined;
  readonly constraints: {
    /** Creates the constraint and the index it needs, unless they exist. */
    create(constraint: KeyConstraint): readonly DatabaseCommand[];
    /** Lists `label` and `properties` of the uniqueness constraints in force. */
    readonly list: string;
  };
}

/** Cypher, or a command of the database itself. */
export type DatabaseCommand = { readonly cypher: string } | { readonly command: readonly string[] };
