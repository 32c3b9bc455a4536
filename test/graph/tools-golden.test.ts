import { test } from 'vitest';
import { expectSurfaceOnRecord } from '../helpers/golden.js';

test('the tools and instructions agents see are the ones on record', () => expectSurfaceOnRecord('graph'));
