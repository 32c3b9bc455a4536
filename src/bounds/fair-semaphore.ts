import { RoundRobin } from './round-robin.js';

/** Who asks for a place, and for what. */
export interface SlotRequest {
  readonly actor: string;
  readonly graph: string;
  /** What may take long leaves some places to what does not. */
  readonly isLong: boolean;
}

/** How many places there are. */
export interface SlotLimits {
  readonly max: number;
  /** Places that may be taken by what is long; the others are kept for what is not. */
  readonly maxLong: number;
  /** Places that one actor may have for what is long, and as many for what is not. */
  readonly maxPerActor: number;
}

interface Waiter {
  readonly seeker: SlotRequest;
  readonly wake: () => void;
}

/**
 * Shares few places among many who ask: actors take turns, and so do the graphs of each. Nobody gets all of them, and some
 * are kept for what does not take long.
 */
export class FairSemaphore {
  readonly #room: SlotLimits;
  readonly #taken = new Set<SlotRequest>();
  readonly #waiters: Waiter[] = [];
  readonly #actors = new RoundRobin();
  readonly #graphs = new RoundRobin();

  constructor(room: SlotLimits) {
    this.#room = room;
  }

  /** How many wait. */
  get waiting(): number {
    return this.#waiters.length;
  }

  /** Resolves, when it is this seeker's turn, to what gives the place back. Rejects when the signal is aborted before. */
  async acquire({ actor, graph, isLong }: SlotRequest, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    const seeker = { actor, graph, isLong };
    if (this.#hasRoom(seeker)) this.#enter(seeker);
    else await this.#turn(seeker, signal);
    return () => {
      if (this.#taken.delete(seeker)) this.#admit();
    };
  }

  #turn(seeker: SlotRequest, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiter = {
        seeker,
        wake: () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
      };
      const leave = () => {
        this.#waiters.splice(this.#waiters.indexOf(waiting), 1);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiters.push(waiting);
    });
  }

  /** Lets in whoever's turn it is, as long as there is room. */
  #admit(): void {
    for (;;) {
      const next = this.#next();
      if (next === undefined) return;
      this.#waiters.splice(this.#waiters.indexOf(next), 1);
      this.#enter(next.seeker);
      next.wake();
    }
  }

  #next(): Waiter | undefined {
    const place = this.#actors.next(
      this.#waiters,
      ({ seeker }) => seeker.actor,
      ({ seeker }) => this.#hasRoom(seeker),
    );
    const first = this.#waiters[place];
    if (first === undefined) return undefined;
    const ofActor = this.#waiters.filter(({ seeker }) => seeker.actor === first.seeker.actor);
    return ofActor[
      this.#graphs.next(
        ofActor,
        ({ seeker }) => ownerOf(seeker),
        ({ seeker }) => this.#hasRoom(seeker),
      )
    ];
  }

  #enter(seeker: SlotRequest): void {
    this.#taken.add(seeker);
    this.#actors.markServed(seeker.actor);
    this.#graphs.markServed(ownerOf(seeker));
  }

  #hasRoom({ actor, isLong }: SlotRequest): boolean {
    const { max, maxLong, maxPerActor } = this.#room;
    if (this.#taken.size >= max) return false;
    let [long, alike] = [0, 0];
    for (const taken of this.#taken) {
      if (taken.isLong) long += 1;
      if (taken.isLong === isLong && taken.actor === actor) alike += 1;
    }
    return (!isLong || long < maxLong) && alike < maxPerActor;
  }
}

function ownerOf({ actor, graph }: SlotRequest): string {
  return JSON.stringify([actor, graph]);
}
