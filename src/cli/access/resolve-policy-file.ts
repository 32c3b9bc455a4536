import type { PolicyFile } from '../../access/policy/server-policies.js';
import { resolvePath } from '../../config/paths.js';
import type { Flags } from '../../config/setting-layers.js';
import { loadSettings, type Settings } from '../../config/settings.js';

export async function resolvePolicyFile(given: string | undefined, options: Flags): Promise<PolicyFile> {
  return given === undefined ? policyInForce(await loadSettings(options)) : { file: resolvePath(given) };
}

/** The policy of the graph, that of the server, or `policy.yaml` here. */
function policyInForce({ server, graph }: Settings): PolicyFile {
  const files = server.access?.policy;
  return files?.graphs?.get(graph.value) ?? files?.server ?? { file: resolvePath('policy.yaml') };
}
