export interface BufferReservation {
  set(bytes: number): void;
  release(): void;
}

interface ActiveReservation extends BufferReservation {
  readonly abort: () => void;
}

/** Oldest first. */
interface ActorAccount {
  bytes: number;
  readonly holdings: Set<ActiveReservation>;
}

export class BufferedBytes {
  readonly #accounts = new Map<string, ActorAccount>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  of(actor: string): number {
    return this.#accounts.get(actor)?.bytes ?? 0;
  }

  count(actor: string): number {
    return this.#accounts.get(actor)?.holdings.size ?? 0;
  }

  hold(actor: string, abort: () => void, bytes = 0): BufferReservation {
    const account = this.#accounts.get(actor) ?? { bytes: 0, holdings: new Set<ActiveReservation>() };
    this.#accounts.set(actor, account);
    let counted = 0;
    const holding: ActiveReservation = {
      abort,
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

  abortOldest(actor: string): void {
    const [oldest] = this.#accounts.get(actor)?.holdings ?? [];
    oldest?.release();
    oldest?.abort();
  }

  abortUntilBelow(max: number): void {
    while (this.#total > max) {
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
