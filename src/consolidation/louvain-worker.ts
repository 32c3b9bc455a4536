import { parentPort, workerData } from 'node:worker_threads';
import { louvainCommunities } from './louvain.js';

parentPort?.postMessage(louvainCommunities(workerData));
