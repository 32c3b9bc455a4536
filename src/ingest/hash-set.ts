const initialCapacity = 1_024;

/** A set of texts of which only hashes are kept, 11 to 21 bytes each: it may take one text for another, but forgets none. */
export class HashSet {
  /** 0: free. */
  #slots = new Float64Array(initialCapacity);
  #size = 0;

  /** Returns whether the text may have been there. */
  add(text: string): boolean {
    const isKnown = insert(this.#slots, hashOf(text));
    if (!isKnown && ++this.#size * 4 > this.#slots.length * 3) this.#grow();
    return isKnown;
  }

  has(text: string): boolean {
    const hash = hashOf(text);
    return this.#slots[slotOf(this.#slots, hash)] === hash;
  }

  #grow(): void {
    const slots = new Float64Array(this.#slots.length * 2);
    for (const hash of this.#slots) if (hash !== 0) insert(slots, hash);
    this.#slots = slots;
  }
}

function insert(slots: Float64Array, hash: number): boolean {
  const slot = slotOf(slots, hash);
  if (slots[slot] === hash) return true;
  slots[slot] = hash;
  return false;
}

/** Where the hash is, or would be. */
function slotOf(slots: Float64Array, hash: number): number {
  // The length is a power of two, so this is the remainder, which would take several times as long to work out.
  const mask = slots.length - 1;
  let slot = (hash >>> 0) & mask;
  while (slots[slot] !== 0 && slots[slot] !== hash) slot = (slot + 1) & mask;
  return slot;
}

/** 53 bits, never 0 (cyrb53). */
function hashOf(text: string): number {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 2_654_435_761);
    b = Math.imul(b ^ code, 1_597_334_677);
  }
  a = Math.imul(a ^ (a >>> 16), 2_246_822_507) ^ Math.imul(b ^ (b >>> 13), 3_266_489_909);
  b = Math.imul(b ^ (b >>> 16), 2_246_822_507) ^ Math.imul(a ^ (a >>> 13), 3_266_489_909);
  return 4_294_967_296 * (2_097_151 & b) + (a >>> 0) || 1;
}
