import type { Tool } from '../../../tool.js';
import { peopleGateAdd } from './people-gate-add.js';
import { peopleGateDrift } from './people-gate-drift.js';
import { peopleGateRegistry } from './people-gate-registry.js';
import { peopleGateRejections } from './people-gate-rejections.js';
import { peopleGateRemove } from './people-gate-remove.js';
import type { GateRouteSettings } from './people-gate-shapes.js';

/** The gate as people look at it, and its registry to change. */
export function peopleGateTools(settings: GateRouteSettings): readonly Tool[] {
  return [
    peopleGateRegistry(settings),
    peopleGateRejections,
    peopleGateDrift(settings),
    peopleGateAdd(settings),
    peopleGateRemove(settings),
  ];
}
