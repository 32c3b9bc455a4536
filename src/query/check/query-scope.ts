import { Diagnostics } from '../../language/diagnostics.js';
import type { Name } from '../../language/literal.js';
import { queryLimits } from '../../model/limits.js';
import type { ValueType } from '../../model/value-type.js';
import type { AggregateBlock, QueryExpression } from '../query-ast.js';
import type { CheckedCondition, ComputedOperand } from './checked-query.js';
import type { EdgeInfo, NodeTypes, SchemaNames } from './schema-names.js';

export interface ScopedNode {
  readonly kind: 'node';
  /** Unique within the query, unlike its name. */
  readonly id: string;
  readonly name: string;
  readonly at: number;
  /** Whether a binding gives its type; otherwise only traversals mention it. */
  readonly isBound: boolean;
  /** Undefined until a traversal determines them. */
  types: NodeTypes | undefined;
  mentions: number;
}

export interface ScopedEdge {
  readonly kind: 'edge';
  readonly id: string;
  readonly name: string;
  readonly at: number;
  readonly edge: EdgeInfo;
  mentions: number;
}

export type ScopedVariable = ScopedNode | ScopedEdge;

/** The checks of blocks; expressions contain blocks, and blocks expressions. */
export interface BlockChecks {
  condition(expression: QueryExpression, scope: QueryScope): CheckedCondition | undefined;
  aggregate(block: AggregateBlock, scope: QueryScope): ComputedOperand | undefined;
}

export class CheckContext {
  readonly blocks: BlockChecks;
  readonly schemaNames: SchemaNames;
  readonly parameters: ReadonlyMap<string, ValueType>;
  readonly usedParameters = new Set<string>();
  readonly errors = new Diagnostics();
  readonly warnings = new Diagnostics();
  /** The variables referenced since the set was last cleared. */
  readonly referenced = new Set<ScopedVariable>();
  readonly #ids = new Set<string>();
  readonly #copies = new Map<string, number>();
  #conditions = 0;

  constructor(blocks: BlockChecks, schemaNames: SchemaNames, parameters: ReadonlyMap<string, ValueType>) {
    this.blocks = blocks;
    this.schemaNames = schemaNames;
    this.parameters = parameters;
  }

  /** In any block that was checked already. */
  hasDeclared(name: string): boolean {
    return this.#ids.has(name);
  }

  newId(name: string, at: number): string {
    let id = name;
    for (let copy = this.#copies.get(name) ?? 2; this.#ids.has(id); copy++) {
      id = `${name}_${copy}`;
      this.#copies.set(name, copy + 1);
    }
    this.#ids.add(id);
    if (this.#ids.size === queryLimits.variables + 1) {
      this.errors.add(at, 'too_large', `A query has at most ${queryLimits.variables} variables.`);
    }
    return id;
  }

  /** Each statement of a mutation may have as many conditions as a read. */
  beginStatement(): void {
    this.#conditions = 0;
  }

  /** Counts a condition; false if there are too many to check. */
  countCondition(at: number): boolean {
    this.#conditions += 1;
    if (this.#conditions === queryLimits.conditions + 1) {
      this.errors.add(at, 'too_large', `A query has at most ${queryLimits.conditions} conditions.`);
    }
    return this.#conditions <= queryLimits.conditions;
  }
}

/** The variables of a block, which sees those of the blocks around it. */
export class QueryScope {
  readonly query: CheckContext;
  readonly parent: QueryScope | null;
  /** In a mutation, the row whose properties bare names are. */
  readonly row: ScopedVariable | null;
  /** Whether it is of a value that is known before anything is read, so that the graph has no part in it. */
  readonly constantsOnly: boolean;
  /** How many aggregate blocks are around it. */
  readonly aggregates: number;
  /** Variables of outer blocks that this one uses. */
  readonly outerReferences = new Set<ScopedVariable>();
  readonly #own = new Map<string, ScopedVariable>();
  readonly #declared = new Set<ScopedVariable>();

  constructor(
    query: CheckContext,
    parent: QueryScope | null,
    {
      row = null,
      constantsOnly = false,
      aggregates = parent?.aggregates ?? 0,
    }: Partial<Pick<QueryScope, 'row' | 'constantsOnly' | 'aggregates'>> = {},
  ) {
    this.query = query;
    this.parent = parent;
    this.row = row;
    this.constantsOnly = constantsOnly;
    this.aggregates = aggregates;
  }

  get variables(): readonly ScopedVariable[] {
    return [...this.#declared];
  }

  /** Looks up a variable and counts the reference. */
  reference(name: string): ScopedVariable | undefined {
    const variable = this.lookUp(name);
    if (variable === undefined) return undefined;
    variable.mentions += 1;
    this.query.referenced.add(variable);
    for (
      let scope: QueryScope | null = this;
      scope !== null && !scope.declares(variable);
      scope = scope.parent
    ) {
      scope.outerReferences.add(variable);
    }
    return variable;
  }

  lookUp(name: string): ScopedVariable | undefined {
    return this.#own.get(name) ?? this.parent?.lookUp(name);
  }

  declares(variable: ScopedVariable): boolean {
    return this.#declared.has(variable);
  }

  /** A new node; each `$_` is a different one. */
  declareNode({ text, at }: Name, types: NodeTypes | undefined, isBound = false): ScopedNode {
    const id = this.query.newId(text, at);
    const variable: ScopedNode = { kind: 'node', id, name: text, at, isBound, types, mentions: 1 };
    if (text !== '_') this.#own.set(text, variable);
    return this.#declare(variable);
  }

  declareEdge({ text, at }: Name, edge: EdgeInfo): ScopedEdge {
    const id = this.query.newId(text, at);
    const variable: ScopedEdge = { kind: 'edge', id, name: text, at, edge, mentions: 1 };
    this.#own.set(text, variable);
    return this.#declare(variable);
  }

  #declare<Declared extends ScopedVariable>(variable: Declared): Declared {
    this.#declared.add(variable);
    this.query.referenced.add(variable);
    return variable;
  }

  names(): readonly string[] {
    return [...this.#own.keys(), ...(this.parent?.names() ?? this.query.parameters.keys())];
  }
}
