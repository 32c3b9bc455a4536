/** Stamped on every write; changes with what the gate checks or computes. */
export const gateVersion = '1.1.0';
