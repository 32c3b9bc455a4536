/** Bytes that somebody makes the server hold in memory. */
export interface BufferReservation {
  /** How many there are now. */
  set(bytes: number): void;
  /** Nothing is held any more. */
  release(): void;
}

interface ActiveReservation extends BufferReservation {
  readonly abort: () => void;
}

/** What one actor has the server hold, the oldest first. */
interface ActorAccount {
  bytes: number;
  readonly holdings: Set<ActiveReservation>;
}

/** Counts the bytes that are held for each actor and in all, such as answers that wait to be read. */
export class BufferedBytes {
  readonly #accounts = new Map<string, ActorAccount>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  /** Bytes that are held for one actor. */
  of(actor: string): number {
    return this.#accounts.get(actor)?.bytes ?? 0;
  }

  /** How many things are held for one actor, whatever their size. */
  count(actor: string): number {
    return this.#accounts.get(actor)?.holdings.size ?? 0;
  }

  /**
   * Counts something until it is released.
   *
   * @param breakOff Ends whatever holds the bytes.
   */
  hold(actor: string, breakOff: () => void, bytes = 0): BufferReservation {
    const account = this.#accounts.get(actor) ?? { bytes: 0, holdings: new Set<ActiveReservation>() };
    this.#accounts.set(actor, account);
    let counted = 0;
    const holding: ActiveReservation = {
      abort: breakOff,
      set: (now) => {
        if (!account.holdings.has(holding)) return;
        account.bytes += now - counted;
        this.#total += now - counted;
        counted = now;
      },
      release: () => {
        holding.set(0);
        account.holdings.delete(holding);
        if (account.holdings.size === 0 && this.#accounts.get(actor) === account)
          this.#accounts.delete(actor);
      },
    };
    account.holdings.add(holding);
    holding.set(bytes);
    return holding;
  }

  /** Ends what an actor has had held the longest, and counts it no more. */
  abortOldest(actor: string): void {
    const [oldest] = this.#accounts.get(actor)?.holdings ?? [];
    oldest?.release();
    oldest?.abort();
  }

  /** Ends the oldest of whoever has the most held, until no more than so many bytes are. */
  abortUntilBelow(most: number): void {
    while (this.#total > most) {
      const heaviest = this.#heaviest();
      if (heaviest === undefined) return;
      this.abortOldest(heaviest);
    }
  }

  #heaviest(): string | undefined {
    let found: string | undefined;
    for (const actor of this.#accounts.keys()) {
      if (found === undefined || this.of(actor) > this.of(found)) found = actor;
    }
    return found;
  }
}
