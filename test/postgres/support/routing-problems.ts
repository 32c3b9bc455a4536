import { loadModule, parseSync } from 'libpg-query';
import { graphTables } from '../../../src/store/sql/delete-graph.js';

const distributedTables: ReadonlySet<string> = new Set(graphTables.map(({ name }) => name));

await loadModule();

/**
 * Why a distributed database could not send a statement to one node; empty if it can. Every distributed table has to be
 * asked for one graph, by one and the same parameter: directly, or by equality with another table of the same query (that
 * of a query around it does not count: Citus does not look there).
 */
export function routingProblems(text: string): string[] {
  const statements = new Statement();
  statements.visit(parseSync(text), new Scope());
  return statements.problems();
}

type Tree = Readonly<Record<string, unknown>>;

/** A table of the statement, or a parameter such as `$1`, as far as its graph is concerned. */
type Graph = string;

class Scope {
  readonly #outer: Scope | undefined;
  readonly tables = new Map<string, Graph>();
  readonly commonTables = new Set<string>();

  constructor(outer?: Scope) {
    this.#outer = outer;
  }

  find(alias: string | undefined): Graph | undefined {
    if (alias === undefined) {
      const [only, another] = this.tables.values();
      return another === undefined ? only : undefined;
    }
    return this.tables.get(alias);
  }

  isCommonTable(name: string): boolean {
    return this.commonTables.has(name) || (this.#outer?.isCommonTable(name) ?? false);
  }
}

class Statement {
  readonly #asked: { readonly table: string; readonly graph: Graph }[] = [];
  readonly #equal: (readonly [Graph, Graph])[] = [];

  visit(tree: unknown, scope: Scope): void {
    if (Array.isArray(tree)) for (const part of tree) this.visit(part, scope);
    if (!isTree(tree)) return;
    for (const [kind, part] of Object.entries(tree)) {
      if (!isTree(part)) this.visit(part, scope);
      else if (kind === 'SelectStmt' || kind === 'larg' || kind === 'rarg') this.#query(part, scope);
      else if (kind === 'UpdateStmt' || kind === 'DeleteStmt') this.#query(part, scope);
      else if (kind === 'InsertStmt') this.#insert(part, scope);
      else this.visit(part, scope);
    }
  }

  problems(): string[] {
    const parameters = new Set<string>();
    const problems: string[] = [];
    for (const { table, graph } of this.#asked) {
      const named = this.#equalTo(graph).filter((other) => other.startsWith('$'));
      if (named.length === 0) problems.push(`${table} is not asked for one graph`);
      for (const parameter of named) parameters.add(parameter);
    }
    if (parameters.size > 1) problems.push(`the graph is named by ${[...parameters].join(' and ')}`);
    return problems;
  }

  #query(tree: Tree, outer: Scope): void {
    const scope = new Scope(outer);
    const { withClause, fromClause, usingClause, relation, ...rest } = tree;
    for (const name of commonTableNames(withClause)) scope.commonTables.add(name);
    this.visit(withClause, scope);
    if (isTree(relation)) this.#table(relation, scope);
    for (const item of listOf(fromClause ?? usingClause)) this.#from(item, scope);
    this.#conditions(tree['whereClause'], scope);
    this.visit(rest, scope);
  }

  #insert({ relation, cols, selectStmt, ...rest }: Tree, outer: Scope): void {
    this.visit(rest, outer);
    const table = isTree(relation) ? String(relation['relname']) : '';
    const query = isTree(selectStmt) && isTree(selectStmt['SelectStmt']) ? selectStmt['SelectStmt'] : {};
    this.visit(selectStmt, outer);
    if (!distributedTables.has(table)) return;
    const place = listOf(cols).findIndex((col) => nameOf(col, 'ResTarget') === 'graph');
    const lists = listOf(query['valuesLists']);
    if (place === -1) this.#asked.push({ table, graph: `${table} without a graph` });
    // Each row names its graph; a query that fills the table is judged by the tables it reads.
    if (lists.length === 0 || place === -1) return;
    for (const list of lists) {
      const items = isTree(list) && isTree(list['List']) ? listOf(list['List']['items']) : [];
      if (parameterOf(items[place]) === undefined)
        this.#asked.push({ table, graph: `${table} by expression` });
    }
  }

  #from(item: unknown, scope: Scope): void {
    if (!isTree(item)) return;
    const { RangeVar, JoinExpr } = item;
    if (isTree(RangeVar)) this.#table(RangeVar, scope);
    else if (isTree(JoinExpr)) {
      this.#from(JoinExpr['larg'], scope);
      this.#from(JoinExpr['rarg'], scope);
      this.#conditions(JoinExpr['quals'], scope);
      this.visit(JoinExpr['quals'], scope);
    } else this.visit(item, scope);
  }

  #table(range: Tree, scope: Scope): void {
    const table = String(range['relname']);
    if (!distributedTables.has(table) || scope.isCommonTable(table)) return;
    const alias = isTree(range['alias']) ? String(range['alias']['aliasname']) : table;
    const graph = `${alias} ${this.#asked.length}`;
    scope.tables.set(alias, graph);
    this.#asked.push({ table: alias === table ? table : `${table} ${alias}`, graph });
  }

  /** Equalities that hold for every row: those that are joined by `and`. */
  #conditions(condition: unknown, scope: Scope): void {
    if (!isTree(condition)) return;
    const { BoolExpr, A_Expr } = condition;
    if (isTree(BoolExpr) && BoolExpr['boolop'] === 'AND_EXPR') {
      for (const part of listOf(BoolExpr['args'])) this.#conditions(part, scope);
    }
    if (
      !isTree(A_Expr) ||
      A_Expr['kind'] !== 'AEXPR_OP' ||
      nameOf(listOf(A_Expr['name'])[0], 'String') !== '='
    )
      return;
    const left = this.#graphIn(A_Expr['lexpr'], scope);
    const right = this.#graphIn(A_Expr['rexpr'], scope);
    if (left !== undefined && right !== undefined) this.#equal.push([left, right]);
  }

  #graphIn(expression: unknown, scope: Scope): Graph | undefined {
    const parameter = parameterOf(expression);
    if (parameter !== undefined || !isTree(expression) || !isTree(expression['ColumnRef'])) return parameter;
    const path = listOf(expression['ColumnRef']['fields']).map((field) => nameOf(field, 'String'));
    if (path.at(-1) !== 'graph') return undefined;
    return scope.find(path.length > 1 ? path[0] : undefined);
  }

  #equalTo(graph: Graph): Graph[] {
    const found = new Set([graph]);
    for (const known of found) {
      // What two tables have in common says nothing about a third that is asked for another parameter.
      if (known.startsWith('$')) continue;
      for (const [a, b] of this.#equal) {
        if (a === known) found.add(b);
        if (b === known) found.add(a);
      }
    }
    return [...found];
  }
}

function commonTableNames(withClause: unknown): string[] {
  if (!isTree(withClause)) return [];
  return listOf(withClause['ctes']).map((table) => nameOf(table, 'CommonTableExpr') ?? '');
}

function parameterOf(expression: unknown): string | undefined {
  if (!isTree(expression)) return undefined;
  const { ParamRef, TypeCast } = expression;
  if (isTree(TypeCast)) return parameterOf(TypeCast['arg']);
  return isTree(ParamRef) ? `$${ParamRef['number']}` : undefined;
}

/** The text of `{String: {sval}}`, `{ResTarget: {name}}` or `{CommonTableExpr: {ctename}}`. */
function nameOf(tree: unknown, kind: 'String' | 'ResTarget' | 'CommonTableExpr'): string | undefined {
  const named = isTree(tree) ? tree[kind] : undefined;
  if (!isTree(named)) return undefined;
  const name = named['sval'] ?? named['name'] ?? named['ctename'];
  return typeof name === 'string' ? name : undefined;
}

function listOf(tree: unknown): readonly unknown[] {
  return Array.isArray(tree) ? tree : [];
}

function isTree(tree: unknown): tree is Tree {
  return typeof tree === 'object' && tree !== null && !Array.isArray(tree);
}
