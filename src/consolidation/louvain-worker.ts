import { parentPort, workerData } from 'node:worker_threads';
import { louvainCommunities } from './louvain.js';

/** The program of a thread that finds the communities it was started for. */
parentPort?.postMessage(louvainCommunities(workerData));
