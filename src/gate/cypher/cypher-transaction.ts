import { isDeepStrictEqual } from 'node:util';
import type { CypherConnection, CypherRow, RunCypher } from '../../cypher/cypher-connection.js';
import type { CypherDialect } from '../../cypher/cypher-dialect.js';
import {
  parseStored,
  provenanceText,
  type StoredProperties,
  stampOfProvenance,
} from '../../cypher/stored-properties.js';
import { isRecord } from '../../model/is-record.js';
import type { Json, Props } from '../../model/json.js';
import { keyText } from '../../model/key-text.js';
import { compareText } from '../../model/order.js';
import { findStampCollision, type Provenance } from '../../model/provenance.js';
import { RejectedError } from '../check/rejected-error.js';
import type {
  GateTransaction,
  Keys,
  KnownSource,
  NodeToStore,
  RelationshipToStore,
  SimilarNode,
  SourceLabel,
  StoredNode,
  StoredRelationship,
  UnknownSource,
} from '../gate-target.js';
import { createQuery } from './create-query.js';
import { findQuery } from './find-query.js';
import { rejectUnstorable } from './reject-unstorable.js';
import { similarNames, similarNamesQuery } from './similar-names-query.js';
import { sourceQuery, unqualified } from './source-query.js';
import {
  type MatchedNode,
  type NodeCreation,
  type PendingWrite,
  type PropertyAssignment,
  writeQuery,
} from './write-query.js';

/** An earlier attempt of the same call was committed, although its answer was lost. */
export class AlreadyWritten extends Error {}

/** Another write came between reading and writing; nothing was written. */
export class ChangedMeanwhile extends Error {}

/** The node that a call was to create exists: it has these rows. Nothing was written. */
export class FoundInstead extends Error {
  readonly rows: readonly CypherRow[];

  constructor(rows: readonly CypherRow[]) {
    super();
    this.rows = rows;
  }
}

/** What a call takes for granted of a node that it may create: that it is new, or the rows that it was found with. */
export type Assumption = 'new' | readonly CypherRow[];

interface ReadNode extends StoredNode, StoredProperties {
  /** The name of one of its keys. */
  readonly key: string;
}

/** Undefined if nothing is known of the node. */
export type Assume = (label: string, keys: Keys) => Assumption | undefined;

/** Collects what a call writes, and writes it at the end with one query. */
export class CypherTransaction implements GateTransaction {
  readonly now = Date.now();
  readonly #run: RunCypher;
  readonly #dialect: CypherDialect;
  readonly #writeId: string;
  readonly #read = new Map<StoredNode['ref'], ReadNode>();
  readonly #updates = new Map<StoredNode['ref'], PropertyAssignment>();
  readonly #created = new Map<StoredNode['ref'], NodeCreation & StoredNode>();
  readonly #keysOfName = new Map<string, Keys>();
  readonly #assume: Assume;
  #isAssumedNew = false;
  #similar: readonly SimilarNode[] = [];
  #foundRelationship: StoredProperties | undefined;
  #relationship: RelationshipToStore | undefined;

  constructor(run: RunCypher, dialect: CypherDialect, writeId: string, assume: Assume) {
    this.#run = run;
    this.#dialect = dialect;
    this.#writeId = writeId;
    this.#assume = assume;
  }

  async nodesWith(label: string, keys: Keys, mayCreate = false): Promise<readonly StoredNode[]> {
    rejectUnstorable(this.#dialect, keys, 'keys');
    const pending = [...this.#created.values()].filter((node) => node.label === label && holds(node, keys));
    if (pending.length > 0) return pending;
    const assumption = mayCreate ? this.#assume(label, keys) : undefined;
    this.#isAssumedNew = assumption === 'new';
    if (assumption === 'new') return [];
    const found = assumption ?? (await this.#run(findQuery(this.#dialect, label, keys)));
    return found.map(({ id, properties }) => this.#found(label, keys, refOf(id), propsOf(properties)));
  }

  async nameFor({ keys }: Pick<NodeToStore, 'keys'>): Promise<string> {
    const name = nameFromKeys(keys);
    this.#keysOfName.set(name, keys);
    return name;
  }

  async putNode(node: NodeToStore): Promise<StoredNode> {
    const { replaces, label, keys, properties, provenance } = node;
    this.#check(label, node);
    const before = replaces === undefined ? undefined : this.#read.get(replaces.ref);
    const assignment = this.#assignment(before, node);
    if (before !== undefined) {
      this.#updates.set(before.ref, assignment);
      return { ...before, properties, provenance };
    }
    const variable = `n${this.#created.size}`;
    const created = { ref: `new ${variable}`, label, name: nameFromKeys(keys), properties, provenance };
    this.#created.set(created.ref, { ...created, variable, keys, create: assignment });
    return created;
  }

  async relationship(
    from: StoredNode,
    type: string,
    to: StoredNode,
  ): Promise<StoredRelationship | undefined> {
    if (!this.#read.has(from.ref) || !this.#read.has(to.ref)) return undefined;
    const { idOf, quote } = this.#dialect;
    const [row, ...others] = await this.#run({
      text: `MATCH (a)-[r:${quote(type)}]->(b) WHERE ${idOf('a')} = $from AND ${idOf('b')} = $to
RETURN properties(r) AS properties LIMIT 2`,
      parameters: { from: from.ref, to: to.ref },
    });
    if (others.length > 0)
      throw new RejectedError(
        'AMBIGUOUS_MERGE',
        `Several relationships of type ${type} connect ${from.name} to ${to.name}.`,
        'Nothing was written. They were not written through the gate; remove all but one.',
        { type, from: from.name, to: to.name },
      );
    if (row === undefined) return undefined;
    this.#foundRelationship = this.#own(parseStored(propsOf(row['properties'])));
    return this.#foundRelationship;
  }

  async putRelationship(relationship: RelationshipToStore): Promise<void> {
    this.#check(relationship.type, relationship);
    this.#relationship = relationship;
  }

  async speltLike(label: string, name: string): Promise<() => readonly SimilarNode[]> {
    const names = similarNames(this.#dialect, label, this.#keysOfName.get(name) ?? {});
    // A node that is assumed to be new is created by the query that looks for them.
    if (names !== undefined && !this.#isAssumedNew)
      this.#similar = toSimilar(await this.#run(similarNamesQuery(names)), names.key);
    return () => this.#similar;
  }

  async findSources(
    references: readonly string[],
    labels: readonly SourceLabel[],
  ): Promise<readonly (KnownSource | UnknownSource)[]> {
    const query = sourceQuery(this.#dialect, references, labels);
    const nodes = (query === undefined ? [] : await this.#run(query)).map(({ label, name, properties }) => ({
      ...{ label: String(label), name: String(name) },
      provenance: parseStored(propsOf(properties)).provenance,
    }));
    return references.map((reference) => {
      const own = nodes.filter(({ name }) => name === reference);
      const found =
        own.length > 0 ? own : nodes.filter(({ label, name }) => unqualified(reference, label) === name);
      const [node, ...others] = found;
      if (node === undefined || others.length > 0)
        return {
          reference,
          suggestions: found.map(({ label, name }) => `${label}:${name}`).sort(compareText),
        };
      const { provenance } = node;
      return {
        reference,
        provenance: provenance === null ? [] : [provenance, ...Object.values(provenance.properties ?? {})],
      };
    });
  }

  get created(): readonly Pick<NodeCreation, 'label' | 'keys'>[] {
    return [...this.#created.values()];
  }

  /** Throws `ChangedMeanwhile` or `FoundInstead` if what was read or assumed is not so; then nothing is written. */
  async flush(connection: CypherConnection): Promise<void> {
    const pending = this.#pending();
    const write = async (run: RunCypher) => {
      const rows = await run(writeQuery(this.#dialect, pending));
      if (rows.length !== 1 || rows[0]?.['written'] !== true) throw new ChangedMeanwhile();
    };
    const isOnlyOne =
      pending.created.length + pending.found.length === 1 && pending.relationship === undefined;
    const [creation] = pending.created;
    if (this.#isAssumedNew && isOnlyOne && creation !== undefined) return this.#create(connection, creation);
    // If a new node turns out to exist, the rest of the query has to be undone.
    await (isOnlyOne ? write((query) => connection.run(query)) : connection.transact(write));
  }

  async #create(connection: CypherConnection, creation: NodeCreation): Promise<void> {
    const names = similarNames(this.#dialect, creation.label, creation.keys);
    const rows = await connection.run(createQuery(this.#dialect, creation, names));
    if (rows[0]?.['written'] !== true) throw new FoundInstead(rows);
    if (names !== undefined) this.#similar = toSimilar(rows, names.key);
  }

  #pending(): PendingWrite {
    const ends =
      this.#relationship === undefined ? [] : [this.#relationship.from.ref, this.#relationship.to.ref];
    const refs = [...new Set([...this.#updates.keys(), ...ends])]
      .filter((ref) => this.#read.has(ref))
      // Always in the same order, so that two writes of the same nodes do not wait for each other.
      .sort((a, b) => compareText(String(a), String(b)));
    const found = refs.flatMap((ref, index): MatchedNode[] => {
      const node = this.#read.get(ref);
      const update = this.#updates.get(ref);
      if (node === undefined) return [];
      const variable = `m${index}`;
      const { label, key, revision } = node;
      return [{ variable, label, id: ref, key, ...(update && { update: { ...update, revision } }) }];
    });
    const variableOf = (ref: StoredNode['ref']) =>
      this.#created.get(ref)?.variable ?? found.find(({ id }) => id === ref)?.variable ?? '';
    return {
      found,
      created: [...this.#created.values()],
      relationship: this.#relationship && {
        from: variableOf(this.#relationship.from.ref),
        type: this.#relationship.type,
        to: variableOf(this.#relationship.to.ref),
        revision: this.#foundRelationship?.revision,
        set: this.#assignment(this.#foundRelationship, this.#relationship),
      },
    };
  }

  #found(label: string, keys: Keys, ref: string | number, properties: Props): StoredNode {
    const stored = this.#own(parseStored(properties));
    const searched = Object.keys(keys);
    const [key = ''] = searched;
    const node = { ref, label, key, name: nameFromKeys(keysOf(stored, searched)), ...stored };
    this.#read.set(ref, node);
    return node;
  }

  #own(stored: StoredProperties): StoredProperties {
    if (stored.writeId === this.#writeId) throw new AlreadyWritten();
    return stored;
  }

  /** Only what differs, so that values which JSON cannot hold stay as they are. */
  #assignment(
    stored: StoredProperties | undefined,
    { properties, provenance }: Pick<NodeToStore, 'properties' | 'provenance'>,
  ): PropertyAssignment {
    const before = stored?.properties ?? {};
    const removed = Object.keys(before).filter((name) => !Object.hasOwn(properties, name));
    const changed = Object.entries(properties).filter(
      ([name, value]) => !Object.hasOwn(before, name) || !isDeepStrictEqual(before[name], value),
    );
    return {
      properties: Object.fromEntries([...changed, ...removed.map((name): [string, Json] => [name, null])]),
      stamp: {
        // Unlike the rest of a stamp, a write may have none.
        ...(provenance.derived_from === undefined && stored?.provenance?.derived_from !== undefined
          ? { derived_from: null }
          : {}),
        ...stampChanges(stored?.provenance ?? {}, provenance),
      },
      provenance: provenanceText(provenance, this.#writeId),
    };
  }

  #check(type: string, { properties, provenance }: Pick<NodeToStore, 'properties' | 'provenance'>): void {
    rejectUnstorable(this.#dialect, properties, 'properties');
    const field = findStampCollision(properties, provenance);
    if (field === undefined) return;
    throw new RejectedError(
      'SCHEMA_PROTECTED_FIELD',
      `This ${type} has a property "${field}", which the gate's stamp would overwrite.`,
      'Nothing was written. Rename or remove that property.',
      { fields: [{ argument: 'stored', field }] },
    );
  }
}

/** Each property that is set takes time, and most writes of a gate are of the same source and method. */
function stampChanges(before: Provenance, after: Provenance): ReturnType<typeof stampOfProvenance> {
  const stored = new Map<string, unknown>(Object.entries(stampOfProvenance(before)));
  const changed = Object.entries(stampOfProvenance(after)).filter(
    ([field, value]) => !isDeepStrictEqual(stored.get(field), value),
  );
  return Object.fromEntries(changed);
}

function holds({ properties }: Pick<StoredNode, 'properties'>, keys: Keys): boolean {
  return Object.entries(keys).every(
    ([key, value]) => Object.hasOwn(properties, key) && properties[key] === value,
  );
}

function nameFromKeys(keys: Keys): string {
  return keyText(Object.keys(keys).sort(compareText), keys);
}

/** The keys it was created with; those that were searched for, if no gate created it. */
function keysOf({ properties, provenance }: StoredProperties, searched: readonly string[]): Keys {
  const names = provenance?.merge_keys ?? searched;
  return Object.fromEntries(
    names.flatMap((name): [string, string | number | boolean][] => {
      const value = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? [[name, value]]
        : [];
    }),
  );
}

function toSimilar(rows: readonly CypherRow[], key: string): readonly SimilarNode[] {
  const found = rows.flatMap(({ similar }): readonly Json[] => (Array.isArray(similar) ? similar : []));
  return found.map((one) => {
    const keys = isRecord(one) ? keysOf(parseStored(propsOf(one)), [key]) : { [key]: String(one) };
    return { name: nameFromKeys(keys), keys };
  });
}

function refOf(id: Json | undefined): string | number {
  return typeof id === 'number' ? id : String(id);
}

function propsOf(value: Json | undefined): Props {
  return isRecord(value) ? value : {};
}
