import { isRecord } from '../../model/is-record.js';
import type { Json, Props } from '../../model/json.js';
import { gateLimits, limits } from '../../model/limits.js';
import { nearest } from '../../model/nearest.js';
import { textProblem } from '../../model/text.js';
import { isReserved, stripColon } from '../gate-names.js';
import type { Keys } from '../gate-target.js';
import { isInexact, isJson, isKeyValue, jsonProblem } from './json-value.js';
import { RejectedError } from './rejected-error.js';

export interface Origin {
  readonly source: string;
  readonly extraction_method: string;
  /** From 0 to 1. */
  readonly reliability: number;
  /** Names of nodes or ids of commits. */
  readonly derived_from: readonly string[];
}

export interface NodeArguments extends Origin {
  readonly label: string;
  readonly merge_keys: Keys;
  /** null removes the property. */
  readonly properties: Props;
}

export const endpointPolicies = ['fail_if_missing', 'merge_endpoints'] as const;
export type EndpointPolicy = (typeof endpointPolicies)[number];

export interface RelationshipArguments extends Origin {
  readonly type: string;
  readonly from_label: string;
  readonly from_keys: Keys;
  readonly to_label: string;
  readonly to_keys: Keys;
  readonly properties: Props;
  readonly endpoint_policy: EndpointPolicy;
}

export const defaultReliability = 0.5;

/** Accepts empty merge keys: they are checked after the required properties. */
export function parseNodeArguments(given: unknown): NodeArguments {
  const read = new ArgumentReader(given);
  const label = read.name('label');
  const merge_keys = read.keys('merge_keys');
  const properties = read.properties('properties', 'required');
  read.rejectKeyMismatches(merge_keys, properties);
  return read.done({ label, merge_keys, properties, ...parseOrigin(read) });
}

export function parseRelationshipArguments(given: unknown): RelationshipArguments {
  const read = new ArgumentReader(given);
  return read.done({
    type: read.name('type'),
    from_label: read.name('from_label'),
    from_keys: read.keys('from_keys'),
    to_label: read.name('to_label'),
    to_keys: read.keys('to_keys'),
    properties: read.properties('properties', 'optional'),
    ...parseOrigin(read),
    endpoint_policy: read.choice('endpoint_policy', endpointPolicies),
  });
}

function parseOrigin(read: ArgumentReader): Origin {
  return {
    source: read.source(),
    extraction_method: read.string('extraction_method'),
    reliability: read.reliability(),
    derived_from: read.texts('derived_from'),
  };
}

/** Collects every problem, so that one response reports them all. */
class ArgumentReader {
  readonly #given: Readonly<Record<string, unknown>>;
  readonly #known = new Set<string>();
  readonly #faults: { readonly argument: string; readonly problem: string }[] = [];

  constructor(given: unknown) {
    if (!isRecord(given)) this.#fault('arguments', 'must be an object');
    this.#given = isRecord(given) ? given : {};
  }

  string(argument: string): string {
    const value = this.#value(argument);
    if (typeof value === 'string') return this.#checked(argument, value);
    this.#fault(argument, value === undefined ? 'is missing (a string expected)' : 'must be a string');
    return '';
  }

  name(argument: string): string {
    const name = this.string(argument);
    if (typeof this.#value(argument) === 'string' && stripColon(name) === '')
      this.#fault(argument, 'must not be empty');
    return name;
  }

  source(): string {
    const source = this.string('source');
    if (typeof this.#value('source') === 'string' && source.trim() === '')
      this.#fault('source', 'must not be empty: state where the claim came from');
    return source;
  }

  choice<T extends string>(argument: string, choices: readonly [T, ...T[]]): T {
    const value = this.#optional(argument);
    if (value === undefined) return choices[0];
    const chosen = choices.find((choice) => choice === value);
    if (chosen === undefined) this.#fault(argument, `must be one of ${choices.join(', ')}`);
    return chosen ?? choices[0];
  }

  /** Numbers out of range are clamped. */
  reliability(): number {
    const value = this.#optional('reliability');
    if (value === undefined) return defaultReliability;
    if (typeof value === 'number' && !Number.isNaN(value)) return Math.min(1, Math.max(0, value));
    this.#fault('reliability', 'must be a number from 0 to 1');
    return defaultReliability;
  }

  /** Without those that repeat another. */
  texts(argument: string): readonly string[] {
    const value = this.#optional(argument);
    if (value === undefined) return [];
    if (!Array.isArray(value)) {
      this.#fault(argument, 'must be a list of texts');
      return [];
    }
    if (value.length > gateLimits.sources)
      this.#fault(argument, `has ${value.length} items; at most ${gateLimits.sources} are allowed`);
    const texts = value.slice(0, gateLimits.sources).map((item: unknown, index) => {
      if (typeof item === 'string' && item !== '') return this.#checked(`${argument}.${index}`, item);
      this.#fault(`${argument}.${index}`, 'must be a text that is not empty');
      return '';
    });
    return [...new Set(texts)];
  }

  keys(argument: string): Keys {
    const keys: [string, string | number | boolean][] = [];
    for (const [name, value] of this.#entries(argument, 'required')) {
      if (!isKeyValue(value)) this.#fault(`${argument}.${name}`, 'must be a string, a number or a boolean');
      else if (value === '') this.#fault(`${argument}.${name}`, 'must not be empty: keys identify nodes');
      else if (isInexact(value))
        this.#fault(`${argument}.${name}`, 'is too large to be exact: pass it as a string');
      else if (typeof value === 'string') keys.push([name, this.#checked(`${argument}.${name}`, value)]);
      else keys.push([name, value]);
    }
    return Object.fromEntries(keys);
  }

  properties(argument: string, need: 'required' | 'optional'): Props {
    const properties: [string, Json][] = [];
    for (const [name, value] of this.#entries(argument, need)) {
      if (isJson(value)) properties.push([name, value]);
      else this.#fault(`${argument}.${name}`, jsonProblem(value) ?? 'is not JSON');
    }
    return Object.fromEntries(properties);
  }

  /** The properties must not contradict the keys. */
  rejectKeyMismatches(keys: Keys, properties: Props): void {
    for (const name of Object.keys(keys)) {
      if (Object.hasOwn(properties, name) && properties[name] !== keys[name])
        this.#fault(`properties.${name}`, 'differs from the merge key of that name, which cannot be changed');
    }
  }

  done<T>(read: T): T {
    this.#refuseUnknown();
    if (this.#faults.length === 0) return read;
    const listed = this.#faults.slice(0, maxFaultsListed);
    const more = this.#faults.length - listed.length;
    throw new RejectedError(
      'INVALID_ARGUMENT',
      `Wrong arguments: ${listed.map(({ argument, problem }) => `${argument} ${problem}`).join('; ')}.${more > 0 ? ` And ${more} more.` : ''}`,
      'Fix them and call again.',
      { faults: listed },
    );
  }

  #entries(argument: string, need: 'required' | 'optional'): [string, unknown][] {
    const value = need === 'optional' ? this.#optional(argument) : this.#value(argument);
    if (value === undefined && need === 'optional') return [];
    if (!isRecord(value)) {
      this.#fault(argument, value === undefined ? 'is missing (an object expected)' : 'must be an object');
      return [];
    }
    const entries = Object.entries(value);
    if (entries.length > gateLimits.properties) {
      this.#fault(argument, `has ${entries.length} members; at most ${gateLimits.properties} are allowed`);
      return [];
    }
    return entries.filter(([name]) => this.#isPropertyName(argument, name));
  }

  #isPropertyName(argument: string, name: string): boolean {
    const problem = nameProblem(name);
    if (problem !== undefined) this.#fault(`${argument}.${truncateName(name)}`, problem);
    return problem === undefined;
  }

  /** Null counts as left out: many clients send it. */
  #value(argument: string): unknown {
    this.#known.add(argument);
    return Object.hasOwn(this.#given, argument) ? (this.#given[argument] ?? undefined) : undefined;
  }

  /** So does an empty text. */
  #optional(argument: string): unknown {
    const value = this.#value(argument);
    return value === '' ? undefined : value;
  }

  #refuseUnknown(): void {
    for (const argument of Object.keys(this.#given)) {
      if (this.#known.has(argument)) continue;
      const meant = nearest(argument, this.#known);
      this.#fault(
        truncateName(argument),
        `is unknown (${meant === undefined ? `use ${[...this.#known].join(', ')}` : `did you mean ${meant}?`})`,
      );
    }
  }

  #checked(argument: string, value: string): string {
    const problem =
      value.length > limits.nameLength ? `has more than ${limits.nameLength} characters` : textProblem(value);
    if (problem !== undefined) this.#fault(argument, problem);
    return value;
  }

  #fault(argument: string, problem: string): void {
    this.#faults.push({ argument, problem });
  }
}

const maxFaultsListed = 20;
const shownLength = 60;

function nameProblem(name: string): string | undefined {
  if (name === '') return 'must not be empty';
  if (name.length > limits.nameLength) return `is a name of more than ${limits.nameLength} characters`;
  return isReserved(name) ? 'begins with _, which is reserved for the gate' : textProblem(name);
}

function truncateName(name: string): string {
  return name.slice(0, shownLength).toWellFormed().replaceAll('\0', '�');
}
