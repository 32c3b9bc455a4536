import { atLeastOne } from '../../access/permission.js';
import type { Resource } from '../surface.js';
import { jsonText } from '../tool.js';
import { readableBranchNames } from './graph-branches-list.js';

export const graphBranchesResource: Resource = {
  uri: 'trellis://branches',
  aliases: ['omnigraph://branches'],
  name: 'branches',
  title: 'Branches',
  description: 'The names of the branches of this graph that you can read.',
  mimeType: 'application/json',
  action: 'read',
  branch: atLeastOne,
  changesWith: 'branches',
  async read(call) {
    return jsonText({ branches: await readableBranchNames(call) });
  },
};
