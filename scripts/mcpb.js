// @ts-check
// Makes trellis-memory.mcpb, which desktop clients install by a double click: `npm run mcpb [FILE]`.
import { resolve } from 'node:path';
import { bundleMcpb } from './packaging/mcpb-bundle.js';

process.stdout.write(await bundleMcpb(resolve(process.argv[2] ?? 'trellis-memory.mcpb')));
