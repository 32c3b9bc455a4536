import type { z } from 'zod';
import { defineTool } from '../tool.js';
import { reads } from '../tool-annotations.js';
import { changesInput, entriesOutput, readEntries } from './graph-change-entries.js';
import { branchPermission } from './graph-shapes.js';

export const graphCommitsChanges = defineTool({
  name: 'commits_changes',
  title: 'List changes',
  description:
    'List the commits of a branch with their changes, oldest first, after a cursor. ' +
    'To follow a branch, pass the cursor of each response as since in the next call: every commit comes once, in order. changes_poll also waits for new ones.',
  input: changesInput,
  output: entriesOutput,
  annotations: reads,
  action: branchPermission<z.output<typeof changesInput>>('read', ({ branch }) => branch),
  run: readEntries,
});
