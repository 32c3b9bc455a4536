import type { GraphSearch } from '../../../search/graph-search.js';
import type { Tool } from '../../tool.js';
import { peopleAccess } from './people-access.js';
import { peopleBranches } from './people-branches.js';
import { peopleEdit } from './people-edit.js';
import { peopleFindings } from './people-findings.js';
import { peopleHistory } from './people-history.js';
import { peopleMergePreview } from './people-merge-preview.js';
import { peopleNeighborhood } from './people-neighborhood.js';
import { peopleNode } from './people-node.js';
import { peopleNodes } from './people-nodes.js';
import { peoplePath } from './people-path.js';
import { peopleRecent } from './people-recent.js';
import { peopleSearch } from './people-search.js';
import { peopleStats } from './people-stats.js';
import { peopleTypes } from './people-types.js';

/** Tools for people, which only plain HTTP and the command line offer. */
export function peopleTools(search: GraphSearch): readonly Tool[] {
  return [
    peopleAccess,
    peopleBranches,
    peopleEdit,
    peopleMergePreview,
    peopleNodes,
    peopleNode,
    peopleHistory,
    peopleSearch(search),
    peopleRecent,
    peopleNeighborhood,
    peoplePath,
    peopleFindings(search),
    peopleTypes,
    peopleStats(search),
  ];
}
