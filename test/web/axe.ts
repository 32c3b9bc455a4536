import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** The script that examines a page. */
export const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
