/** The gate's own version, stamped on everything it lets in: it changes when what the gate checks or computes does. */
export const gateVersion = '1.1.0';
