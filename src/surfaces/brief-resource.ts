import { assembleBrief } from '../brief/assemble-brief.js';
import { readBrief } from '../brief/read-brief.js';
import type { Resource } from './surface.js';

/** The server does not know the folder of the agent, so no project is in it. */
export const briefResource: Resource = {
  uri: 'trellis://brief',
  name: 'brief',
  title: 'Brief',
  description: 'What an agent should know at the start: pinned facts, open questions and what changed last.',
  mimeType: 'text/markdown',
  action: 'read',
  async read({ graph }) {
    return assembleBrief(await graph.read((reader) => readBrief(reader, {})));
  },
};
