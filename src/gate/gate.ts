import { type Clock, systemClock } from '../model/clock.js';
import type { Author } from '../model/commit.js';
import { reasonOf, type TrellisError } from '../model/error.js';
import { isRecord } from '../model/is-record.js';
import type { RejectionDraft } from '../model/rejection.js';
import { type GateRules, nodeClaim, relationshipClaim } from './check/claim.js';
import { parseNodeArguments, parseRelationshipArguments } from './check/gate-arguments.js';
import { isRejection } from './check/rejected-error.js';
import { canonicalLabel } from './check/resolved-name.js';
import { DefaultFormulaProvider } from './formula/default-formula.js';
import type { FormulaProvider } from './formula/formula-provider.js';
import {
  type NodeWritten,
  type Placement,
  type RejectedAnswer,
  type RelationshipWritten,
  rejectedAnswer,
  type SchemaRefreshed,
} from './gate-results.js';
import type { ConflictPolicy, SuspiciousTextPolicy, UnknownLabelPolicy } from './gate-settings.js';
import type { GateTarget } from './gate-target.js';
import type { GateWriter } from './gate-writer.js';
import { otherLabel, type RefusedWrite } from './refused-write.js';
import { type LoadedRegistry, RegistryCache } from './registry/registry-cache.js';
import type { RegistrySource } from './registry/schema-registry.js';
import { HeldRejection } from './review/held-rejection.js';
import { checkTrustedMethods, type TrustRule } from './review/trust-rules.js';
import { extractionMethodsOf, type RulesInForce, rulesInForce } from './rules-in-force.js';
import { truncate } from './truncate.js';
import { writeNode } from './write-node.js';
import { writeRelationship } from './write-relationship.js';

export interface GateOptions {
  readonly source: RegistrySource;
  /** Takes precedence over the fallback label of the source. */
  readonly fallbackLabel?: string | undefined;
  /** Default: `remap`. */
  readonly unknownLabels?: UnknownLabelPolicy | undefined;
  /** Default: `warn`. */
  readonly conflicts?: ConflictPolicy | undefined;
  /** Default: `DefaultFormulaProvider`. */
  readonly formula?: FormulaProvider | undefined;
  /** What is held on a branch for review; the first rule that a write meets applies. Default: nothing. */
  readonly trust?: readonly TrustRule[] | undefined;
  /** What happens to text that looks like instructions to a model; default: `off`. */
  readonly suspiciousText?: SuspiciousTextPolicy | undefined;
  /** Keeps rejected writes for review: a registry that lacks a label would lose true facts otherwise. */
  readonly keep?: ((rejection: RejectionDraft) => Promise<void>) | undefined;
  /** Called for each write that is rejected or held. */
  readonly onRefused?: ((refused: RefusedWrite) => void) | undefined;
  readonly warn?: ((message: string) => void) | undefined;
  readonly clock?: Clock | undefined;
}

/**
 * What the writer may see of a rejection; all of it is kept for review. It may be about another branch, where the write
 * would have been held.
 */
export type RejectionRedactor = (verdict: TrellisError, branch?: string) => TrellisError;

/** What the writer may see. */
export interface WriterView extends Pick<GateWriter, 'mayRead'> {
  readonly redact: RejectionRedactor;
}

const fullView: WriterView = { mayRead: () => true, redact: (verdict) => verdict };

/** Lets into a graph what its registry allows, stamped with provenance. */
export class Gate {
  readonly #cache: RegistryCache;
  readonly #options: GateOptions;
  readonly #policies: Omit<GateRules, 'schema'>;

  private constructor(options: GateOptions) {
    this.#options = options;
    this.#cache = new RegistryCache(options.source, options.fallbackLabel);
    this.#policies = {
      formula: options.formula ?? new DefaultFormulaProvider(),
      unknownLabels: options.unknownLabels ?? 'remap',
      conflicts: options.conflicts ?? 'warn',
      trust: options.trust ?? [],
      suspiciousText: options.suspiciousText ?? 'off',
    };
  }

  /** Throws if the registry is invalid; while it is unreachable, the gate rejects every write. */
  static async open(options: GateOptions): Promise<Gate> {
    const gate = new Gate(options);
    checkTrustedMethods(options.trust ?? [], gate.extractionMethods());
    await gate.#cache.open(options.warn ?? (() => {}));
    return gate;
  }

  writeNode(
    target: GateTarget,
    author: Author,
    given: unknown,
    { mayRead, redact } = fullView,
  ): Promise<NodeWritten | RejectedAnswer> {
    return this.#catchRejection({ author, given, redact }, async () =>
      this.#countHeld(
        author,
        given,
        await writeNode(
          target,
          { actor: author.actor, mayRead },
          nodeClaim(parseNodeArguments(given), this.#rules()),
        ),
      ),
    );
  }

  writeRelationship(
    target: GateTarget,
    author: Author,
    given: unknown,
    { mayRead, redact } = fullView,
  ): Promise<RelationshipWritten | RejectedAnswer> {
    return this.#catchRejection({ author, given, redact }, async () =>
      this.#countHeld(
        author,
        given,
        await writeRelationship(
          target,
          { actor: author.actor, mayRead },
          relationshipClaim(parseRelationshipArguments(given), this.#rules()),
        ),
      ),
    );
  }

  /** Reloads the registry; if that fails, the current one stays in force. */
  refreshSchema(author: Author, { redact } = fullView): Promise<SchemaRefreshed | RejectedAnswer> {
    return this.#catchRejection({ author, given: {}, redact }, async () => {
      const { registry } = await this.#cache.refresh();
      return {
        loaded: registry.allCanonicalLabels().length,
        relationship_types: registry.allRelationTypes().length,
        labels: registry.allCanonicalLabels(),
        relationship_type_names: registry.allRelationTypes(),
      };
    });
  }

  /** Throws `SCHEMA_SOURCE_UNAVAILABLE` if no registry was ever loaded. */
  rules(): RulesInForce {
    return rulesInForce(this.#cache.current(), this.#policies);
  }

  /** Undefined if the formula fails to list them. */
  extractionMethods(): readonly string[] | undefined {
    return extractionMethodsOf(this.#policies.formula);
  }

  /** The current registry, for comparison by identity; undefined if none was ever loaded. */
  get schema(): object | undefined {
    return this.#cache.loaded;
  }

  /** Returns the function that unsubscribes. */
  onSchemaChanged(listener: () => void): () => void {
    return this.#cache.onChange(listener);
  }

  /** A write uses one registry to its end, whatever is refreshed meanwhile. */
  #rules(): GateRules {
    return { ...this.#policies, schema: this.#cache.current() };
  }

  /** Turns a rejection into a result and keeps it; other errors pass. */
  async #catchRejection<T>(
    { author, given, redact }: { author: Author; given: unknown; redact: RejectionRedactor },
    work: () => Promise<T>,
  ): Promise<T | RejectedAnswer> {
    try {
      return await work();
    } catch (thrown) {
      if (!isRejection(thrown)) throw thrown;
      this.#count(author, given, 'rejected', thrown.code);
      await this.#keep(author, given, rejectedAnswer(thrown));
      return rejectedAnswer(redact(thrown, thrown instanceof HeldRejection ? thrown.branch : undefined));
    }
  }

  #countHeld<T extends Placement>(author: Author, given: unknown, placed: T): T {
    if (placed.status === 'held') this.#count(author, given, 'held', placed.reason);
    return placed;
  }

  #count({ actor }: Author, given: unknown, outcome: RefusedWrite['outcome'], reason: string): void {
    const { label, type } = isRecord(given) ? given : {};
    const name = this.#cache.loaded && this.#registeredName(this.#cache.loaded, type, label);
    this.#options.onRefused?.({ outcome, actor, label: name ?? otherLabel, reason });
  }

  /** The type of a relationship, or the label that a node has or would have. */
  #registeredName(schema: LoadedRegistry, type: unknown, label: unknown): string | undefined {
    if (typeof type === 'string') return schema.registry.getRelation(type)?.type;
    if (typeof label !== 'string') return undefined;
    return canonicalLabel(label, schema, this.#policies.unknownLabels);
  }

  /** A failure to keep a rejection must not hide it from the agent. */
  async #keep(
    { actor, tool }: Author,
    given: unknown,
    { error_code, message, details }: RejectedAnswer,
  ): Promise<void> {
    const { keep, warn, clock = systemClock } = this.#options;
    try {
      await keep?.({
        actor,
        tool,
        code: error_code,
        message,
        time: clock(),
        arguments: truncate(given),
        details: truncate(details),
      });
    } catch (error) {
      warn?.(`a rejected write could not be kept: ${reasonOf(error)}`);
    }
  }
}
