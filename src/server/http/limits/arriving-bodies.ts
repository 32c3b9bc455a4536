import { BufferedBytes, type BufferReservation } from './buffered-bytes.js';

export interface ArrivalLimits {
  /** Bodies of one actor that arrive at the same time. */
  readonly most: number;
  /** Bytes of all bodies that have arrived in part. */
  readonly mostBytes: number;
}

/**
 * The bodies that are arriving. Those that have taken the longest make way for new ones, since whoever sends slowly on
 * purpose is among them.
 */
export class ArrivingBodies {
  readonly #held = new BufferedBytes();
  readonly #limits: ArrivalLimits;

  constructor(limits: ArrivalLimits) {
    this.#limits = limits;
  }

  /** Counts a body until it is released. */
  begin(actor: string, breakOff: () => void): BufferReservation {
    if (this.#held.count(actor) >= this.#limits.most) this.#held.abortOldest(actor);
    const held = this.#held.hold(actor, breakOff);
    return {
      set: (bytes) => {
        held.set(bytes);
        this.#held.abortUntilBelow(this.#limits.mostBytes);
      },
      release: held.release,
    };
  }
}
