import { RoundRobin } from './round-robin.js';

export interface SlotRequest {
  readonly actor: string;
  readonly graph: string;
  /** Long work leaves some slots to short work. */
  readonly isLong: boolean;
}

export interface SlotLimits {
  readonly max: number;
  /** Slots that long work may take; the others are kept for short work. */
  readonly maxLong: number;
  /** Slots one actor may have for long work, and as many for short work. */
  readonly maxPerActor: number;
}

interface Waiter {
  readonly seeker: SlotRequest;
  readonly wake: () => void;
}

/** Shares few slots among many: actors take turns, and so do the graphs of each actor. */
export class FairSemaphore {
  readonly #room: SlotLimits;
  readonly #taken = new Set<SlotRequest>();
  readonly #waiters: Waiter[] = [];
  readonly #actors = new RoundRobin();
  readonly #graphs = new RoundRobin();

  constructor(room: SlotLimits) {
    this.#room = room;
  }

  get waiting(): number {
    return this.#waiters.length;
  }

  /** Resolves to the function that releases the slot. Rejects if the signal aborts before. */
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
    const index = this.#actors.next(
      this.#waiters,
      ({ seeker }) => seeker.actor,
      ({ seeker }) => this.#hasRoom(seeker),
    );
    const first = this.#waiters[index];
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
