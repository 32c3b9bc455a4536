/** Stores as a library: `import { openStore } from 'trellis-memory/store'`. */
export { type GraphWish, type OpenGraph, OpenStore, openStore } from './open-store.js';
