import type { Random } from '../../bench/lib/random.js';
import { mainBranch } from '../../src/model/graph-record.js';
import type { Json, Props } from '../../src/model/json.js';

/** An edge by the names of its ends. */
interface Related {
  readonly from: string;
  readonly to: string;
  readonly type: string;
}

interface Created {
  readonly name: string;
  readonly type: string;
  readonly observations: readonly string[];
}

/** One call on a graph. What does not apply where it lands is refused, and the refusal is an answer too. */
export type Call =
  | { readonly kind: 'create'; readonly nodes: readonly Created[] }
  | { readonly kind: 'observe'; readonly name: string; readonly texts: readonly string[] }
  | { readonly kind: 'forget'; readonly name: string; readonly nth: number }
  | { readonly kind: 'replace'; readonly name: string; readonly nth: number; readonly text: string }
  | { readonly kind: 'relate'; readonly edges: readonly Related[] }
  | { readonly kind: 'unrelate'; readonly name: string; readonly nth: number }
  | {
      readonly kind: 'weigh';
      readonly name: string;
      readonly nth: number;
      readonly weight: number;
      readonly key: string;
    }
  | { readonly kind: 'delete'; readonly names: readonly string[] }
  | {
      readonly kind: 'describe';
      readonly name: string;
      readonly summary: string;
      readonly tags: readonly string[];
      readonly props: Props;
    }
  | { readonly kind: 'rewrite'; readonly name: string }
  | {
      readonly kind: 'update';
      readonly name: string;
      readonly type: string;
      /** Facts to go on with: those it has, turned by so many places, and these. */
      readonly turn: number;
      readonly texts: readonly string[];
    }
  | {
      readonly kind: 'move';
      readonly name: string;
      readonly nth: number;
      readonly to: Related;
      readonly weight: number;
    }
  | { readonly kind: 'retype'; readonly name: string; readonly type: string }
  | { readonly kind: 'twin'; readonly name: string; readonly type: string }
  | { readonly kind: 'vanish'; readonly name: string; readonly text: string };

/** How many operations a call is: as with the tools, what it does to each of its items. */
function operationsIn(call: Call): number {
  switch (call.kind) {
    case 'create':
      return call.nodes.length;
    case 'observe':
      return call.texts.length;
    case 'relate':
      return call.edges.length;
    case 'delete':
      return call.names.length;
    default:
      return 1;
  }
}

/** Calls that make one commit together, or none if the group fails. */
export type Step =
  | {
      readonly kind: 'write';
      readonly branch: string;
      readonly calls: readonly Call[];
      readonly fails: boolean;
    }
  | { readonly kind: 'fork'; readonly name: string; readonly from: string };

export interface LogOptions {
  readonly operations: number;
  /** How many names there are to speak of; few make operations meet. */
  readonly names: number;
  readonly branches: number;
  /** Calls of one commit at most. */
  readonly together: number;
}

const types = ['person', 'place', 'Project', 'ÄÖÜ', ''];
/** Names that several nodes may share; only few, since calls that mean one of them are refused. */
const twinNames = 10;
const edgeTypes = ['knows', 'lives in', 'depends_on', '→'];
/** Texts that the two databases might fold, escape, cut or compare differently. */
const words = [
  ...[
    'apple',
    'Apples',
    'running',
    'RUN',
    'Straße',
    'STRASSE',
    'İstanbul',
    'istanbul',
    'naïve',
    'ﬁne',
    'Σίσυφος',
  ],
  ...[
    '東京都',
    '東京',
    'ไทย',
    '😀',
    '👩‍👩‍👧',
    '%',
    '_',
    '100%',
    'a_b',
    "o'clock",
    '"quoted"',
    'back\\slash',
    '$1',
    '?',
    '{}',
    '[1]',
  ],
  ...[
    'null',
    'line\nbreak',
    'tab\there',
    ' lead',
    'trail ',
    'e\u0301',
    'é',
    '\u200b',
    'zebra',
    'quartz',
    'jumps',
    'lazy',
  ],
];

/** A log that is the same for the same random numbers. */
export class LogMaker {
  readonly #random: Random;
  readonly #options: LogOptions;
  readonly branches = [mainBranch];

  constructor(random: Random, options: LogOptions) {
    this.#random = random;
    this.#options = options;
  }

  *steps(): Generator<Step> {
    for (let left = this.#options.operations; left > 0; ) {
      if (this.branches.length < this.#options.branches && this.#chance(0.02)) {
        const from = this.#random.pick(this.branches);
        const name = `branch ${this.branches.length}`;
        this.branches.push(name);
        left -= 1;
        yield { kind: 'fork', name, from };
      }
      const calls = Array.from({ length: 1 + this.#random.below(this.#options.together) }, () =>
        this.#call(),
      );
      left -= calls.reduce((sum, call) => sum + operationsIn(call), 0);
      yield {
        kind: 'write',
        branch: this.#chance(0.5) ? mainBranch : this.#random.pick(this.branches),
        calls,
        fails: this.#chance(0.03),
      };
    }
  }

  name(of = this.#options.names): string {
    const number = this.#random.below(of);
    return `${words[number % words.length]} ${Math.floor(number / words.length)}`;
  }

  text(): string {
    return Array.from({ length: 1 + this.#random.below(4) }, () => this.word()).join(' ');
  }

  word(): string {
    return this.#random.pick(words);
  }

  #call(): Call {
    const name = this.name();
    const dice = this.#random.below(100);
    if (dice < 26) return { kind: 'create', nodes: this.#some(6, () => this.#node()) };
    if (dice < 43) return { kind: 'observe', name, texts: this.#some(4, () => this.text()) };
    if (dice < 46) return this.#update(name);
    if (dice < 51) return { kind: 'forget', name, nth: this.#random.below(4) };
    if (dice < 56) return { kind: 'replace', name, nth: this.#random.below(4), text: this.text() };
    if (dice < 69) return { kind: 'relate', edges: this.#some(6, () => this.#edge()) };
    if (dice < 72) return this.#move(name);
    if (dice < 76) return { kind: 'unrelate', name, nth: this.#random.below(3) };
    if (dice < 80) return this.#weigh(name);
    if (dice < 87) return { kind: 'delete', names: this.#some(4, () => this.name()) };
    if (dice < 92) return this.#describe(name);
    if (dice < 94) return { kind: 'rewrite', name };
    if (dice < 97) return { kind: 'retype', name, type: this.#random.pick(types) };
    if (dice < 98) return { kind: 'twin', name: this.name(twinNames), type: this.#random.pick(types) };
    return { kind: 'vanish', name: `${name} for a moment`, text: this.text() };
  }

  #some<T>(most: number, make: () => T): T[] {
    return Array.from({ length: 1 + this.#random.below(most) }, make);
  }

  #node(): Created {
    const observations = this.#some(3, () => this.text()).slice(1);
    return { name: this.name(), type: this.#random.pick(types), observations };
  }

  #edge(): Related {
    return { from: this.name(), to: this.name(), type: this.#random.pick(edgeTypes) };
  }

  #weigh(name: string): Call {
    const key = this.#random.pick(['', 'k']);
    return { kind: 'weigh', name, nth: this.#random.below(3), weight: this.#random.next(), key };
  }

  #update(name: string): Call {
    const texts = this.#some(3, () => this.text()).slice(1);
    return { kind: 'update', name, type: this.#random.pick(types), turn: this.#random.below(3), texts };
  }

  #move(name: string): Call {
    const weight = this.#random.next() * 1.1;
    return { kind: 'move', name, nth: this.#random.below(3), to: this.#edge(), weight };
  }

  #describe(name: string): Call {
    return { kind: 'describe', name, summary: this.text(), tags: [this.word()], props: this.#props() };
  }

  #props(): Props {
    const values: Json[] = [
      this.text(),
      this.#random.next(),
      this.#random.below(1e9),
      true,
      null,
      [1, 'two'],
      { deep: { er: 'x' } },
    ];
    return { [this.word()]: this.#random.pick(values), year: 1900 + this.#random.below(200) };
  }

  #chance(probability: number): boolean {
    return this.#random.next() < probability;
  }
}
