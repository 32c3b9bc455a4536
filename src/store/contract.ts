/** The contract between whoever works on graphs and the stores that keep them, a file for each side of it. */
export type { Reader } from './reader.js';
export type { Capabilities, Store } from './store.js';
export type { ViewTarget, WriteTarget } from './targets.js';
export type { Writer } from './writer.js';
export type { CommitStamp, Written } from './written.js';
