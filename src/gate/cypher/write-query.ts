import type { CypherQuery } from '../../cypher/cypher-connection.js';
import type { CypherDialect } from '../../cypher/cypher-dialect.js';
import { provenanceProperty } from '../../cypher/stored-properties.js';
import type { Json, Props } from '../../model/json.js';
import { type StampField, stampFieldNames } from '../../model/provenance.js';
import type { Keys } from '../gate-target.js';

/** What a write sets; null removes a property. */
export interface PropertyAssignment {
  readonly properties: Props;
  readonly stamp: Readonly<Partial<Record<StampField, Json>>>;
  readonly provenance: string;
}

/** A node that was found. */
export interface MatchedNode {
  readonly variable: string;
  readonly label: string;
  readonly id: string | number;
  /** The name of one of its keys. */
  readonly key: string;
  /** Left out if the node is only an end of the relationship. */
  readonly update?: PropertyAssignment & { readonly revision: string };
}

export interface NodeCreation {
  readonly variable: string;
  readonly label: string;
  readonly keys: Keys;
  readonly create: PropertyAssignment;
}

export interface RelationshipWrite {
  readonly from: string;
  readonly type: string;
  readonly to: string;
  /** The revision that was found; left out for a new relationship. */
  readonly revision?: string | undefined;
  readonly set: PropertyAssignment;
}

export interface PendingWrite {
  readonly found: readonly MatchedNode[];
  readonly created: readonly NodeCreation[];
  readonly relationship?: RelationshipWrite | undefined;
}

/**
 * All of a call's writes as one query, which returns a row with `written: true` only if nothing has changed since the
 * call read it. Nothing is written before everything was compared: FalkorDB cannot undo a query.
 */
export function writeQuery(
  dialect: CypherDialect,
  { found, created, relationship }: PendingWrite,
): CypherQuery {
  const { quote } = dialect;
  const clauses: string[] = [];
  const parameters: Record<string, Json> = {};
  const carried = found.map(({ variable }) => variable);
  const keep = (condition: string, counted?: string) => {
    const names = [...carried, ...(counted === undefined ? [] : [counted])];
    clauses.push(`WITH ${names.length === 0 ? '1 AS one' : names.join(', ')} WHERE ${condition}`);
  };

  for (const { variable, label, id } of found) {
    clauses.push(`MATCH (${variable}:${quote(label)}) WHERE ${dialect.idOf(variable)} = $${variable}_id`);
    parameters[`${variable}_id`] = id;
  }
  if (dialect.lock !== undefined)
    for (const { variable, key } of found) clauses.push(dialect.lock(variable, key));
  const updated = found.filter(({ update }) => update !== undefined);
  if (found.length > 0) keep(updated.map(({ variable }) => unchanged(variable)).join(' AND ') || 'true');
  for (const { variable, update } of updated) parameters[`${variable}_revision`] = update?.revision ?? '';
  for (const { variable, label, keys } of created) {
    const other = `other_${variable}`;
    clauses.push(`OPTIONAL MATCH (${other}:${quote(label)} {${keysPattern(dialect, variable, keys)}})`);
    keep(`count_${variable} = 0`, `count(${other}) AS count_${variable}`);
    Object.assign(parameters, keyParameters(variable, keys));
  }
  if (relationship !== undefined) {
    const { from, to, type, revision } = relationship;
    const isBetweenFound = [from, to].every((end) => carried.includes(end));
    if (revision !== undefined) {
      clauses.push(`MATCH (${from})-[r:${quote(type)}]->(${to}) WHERE ${unchanged('r')}`);
      parameters['r_revision'] = revision;
    } else if (isBetweenFound) {
      clauses.push(`OPTIONAL MATCH (${from})-[other_r:${quote(type)}]->(${to})`);
      keep('count_r = 0', 'count(other_r) AS count_r');
    }
  }

  for (const { variable, label, keys, create } of created) {
    clauses.push(
      `MERGE (${variable}:${quote(label)} {${keysPattern(dialect, variable, keys)}})`,
      `ON CREATE SET ${assign(dialect, variable, create, parameters)}`,
    );
  }
  for (const { variable, update } of updated)
    if (update !== undefined) clauses.push(`SET ${assign(dialect, variable, update, parameters)}`);
  if (relationship !== undefined) {
    const { from, to, type, revision, set } = relationship;
    if (revision === undefined) clauses.push(`MERGE (${from})-[r:${quote(type)}]->(${to})`);
    clauses.push(`SET ${assign(dialect, 'r', set, parameters)}`);
  }
  const isOurs = created.map(({ variable }) => `${variable}.${provenanceProperty} = $${variable}_provenance`);
  clauses.push(`RETURN ${isOurs.length === 0 ? 'true' : isOurs.join(' AND ')} AS written`);
  return { text: clauses.join('\n'), parameters };
}

function unchanged(variable: string): string {
  return `coalesce(${variable}.${provenanceProperty}, '') = $${variable}_revision`;
}

/** Needs the parameters of `keyParameters`. */
export function keysPattern({ quote }: CypherDialect, variable: string, keys: Keys): string {
  return Object.keys(keys)
    .map((key, index) => `${quote(key)}: $${variable}_key${index}`)
    .join(', ');
}

export function keyParameters(variable: string, keys: Keys): Record<string, Json> {
  return Object.fromEntries(Object.values(keys).map((value, index) => [`${variable}_key${index}`, value]));
}

/** As the seed of the gate has it: the properties, then each field of the stamp. Adds the parameters it needs. */
export function assign(
  dialect: CypherDialect,
  variable: string,
  { properties, stamp, provenance }: PropertyAssignment,
  parameters: Record<string, Json>,
): string {
  parameters[`${variable}_properties`] = properties;
  parameters[`${variable}_provenance`] = provenance;
  const fields = stampFieldNames
    .filter((field) => stamp[field] !== undefined)
    .map((field) => {
      const parameter = `${variable}_${field}`;
      parameters[parameter] = stamp[field] ?? null;
      const value = field === 'last_updated' ? dialect.timestamp(`$${parameter}`) : `$${parameter}`;
      return `${variable}.${field} = ${value}`;
    });
  return [
    `${variable} += $${variable}_properties`,
    ...fields,
    `${variable}.${provenanceProperty} = $${variable}_provenance`,
  ].join(', ');
}
