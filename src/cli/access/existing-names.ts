import type { ExistingNames } from '../../access/policy/policy-mentions.js';
import { readTokens } from '../../access/tokens/token-authenticator.js';
import type { KnownToken } from '../../access/tokens/token-file.js';
import { openExistingStore, withStore } from '../../config/open-configured-store.js';
import type { Settings } from '../../config/settings.js';
import { TrellisError } from '../../model/error.js';
import { graphNames } from '../../store/graph-names.js';

/** As far as they can be known. */
export async function existingNames(settings: Settings): Promise<ExistingNames> {
  const { graphs, server } = settings;
  const [stored, tokens] = await Promise.all([storedGraphs(settings), knownTokens(server.access)]);
  return {
    graphs: stored && new Set([...graphs.keys(), ...stored]),
    queries: new Map([...graphs].map(([name, graph]) => [name, graph.queries.map((query) => query.name)])),
    groups: tokens && new Set(tokens.flatMap((token) => token.groups)),
    actors: tokens && new Set(tokens.map(({ actor }) => actor)),
  };
}

/** Undefined if the store cannot be read. A missing one has no graphs. */
async function storedGraphs({ location }: Settings): Promise<readonly string[] | undefined> {
  try {
    return await withStore(openExistingStore(location.value, { warn: () => {} }), graphNames);
  } catch (error) {
    if (!(error instanceof TrellisError)) throw error;
    return error.details?.['isMissing'] === true ? [] : undefined;
  }
}

/** Undefined if an identity provider may know others, or the tokens cannot be read. */
async function knownTokens(access: Settings['server']['access']): Promise<readonly KnownToken[] | undefined> {
  if (access?.tokens === undefined || access.oidc !== undefined) return undefined;
  try {
    return await readTokens(access.tokens);
  } catch (error) {
    if (!(error instanceof TrellisError)) throw error;
    return undefined;
  }
}
